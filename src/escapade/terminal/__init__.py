"""The games in a terminal: a client of the protocol (docs/protocol.md) that fills the screen with text."""
