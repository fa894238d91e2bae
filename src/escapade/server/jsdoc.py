"""The messages as types for the browser's modules, made from their schemas.

python -m escapade.server.jsdoc > src/escapade/client/lib/messages.js
"""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from escapade.server.schema import openapi, schemas

PRIMITIVES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
WIDTH = 112
HEAD = """\
// @ts-check
/** What the server and this client send each other. Made by `python -m escapade.server.jsdoc`: do not edit. */
export {};
"""


def jsdoc() -> str:
    """A module that has nothing but types: a typedef for each struct, and one for either way over the socket."""
    socket = schemas()
    unions = {"FromClient": socket["from-client"], "ToClient": socket["to-client"]}
    parts = {**socket["$defs"], **openapi()["components"]["schemas"]}
    typedefs = [typedef(name, schema) for name, schema in [*parts.items(), *unions.items()]]
    return "\n".join([HEAD, *typedefs])


def typedef(name: str, schema: Mapping[str, Any]) -> str:
    """A named type, with what the struct's docstring says of it."""
    says = textwrap.wrap(schema.get("description", ""), WIDTH)
    if "properties" in schema:
        lines = [line for field in fields(schema) for line in wrapped(f"  {field},")]
        type_ = ["@typedef {{", *lines, f"}}}} {name}"]
    else:
        type_ = textwrap.wrap(f"@typedef {{{type_of(schema)}}} {name}", WIDTH)
    return "/** " + "\n * ".join([*says, *type_]) + " */\n"


def wrapped(field: str) -> list[str]:
    """A field on as many lines as it takes."""
    return textwrap.wrap(field, WIDTH, subsequent_indent="    ")


def fields(schema: Mapping[str, Any]) -> Iterator[str]:
    """The fields of a struct; what has a default may be left out."""
    for name, field in schema["properties"].items():
        yield f"{name}{'' if name in schema.get('required', ()) else '?'}: {type_of(field)}"


def type_of(schema: Mapping[str, Any]) -> str:
    """A schema as TypeScript writes it."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "enum" in schema:
        return " | ".join(f"'{value}'" for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(map(type_of, schema["anyOf"]))
    if schema.get("type") == "array":
        inner = type_of(schema["items"])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values) if values else 'any'}>"
    return PRIMITIVES.get(schema.get("type", ""), "any")


if __name__ == "__main__":
    print(jsdoc(), end="")
