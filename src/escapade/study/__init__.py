"""Numbers about the games: strong players play many of them, and a page tells what came of it."""
