"""The documentation site: `sphinx-build -W docs site` makes it of these pages, which a code host shows as they are."""

import escapade

project = "Escapade"
author = "The Escapade contributors"
version = release = escapade.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx_external_toc"]
external_toc_path = "contents.yml"

myst_heading_anchors = 3  # so that links such as notation.md#game-records-esc work here too
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_raise_on_error = True

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
default_role = "code"  # what docstrings write in single backticks

html_theme = "furo"
html_title = f"Escapade {release}"
html_show_copyright = False
