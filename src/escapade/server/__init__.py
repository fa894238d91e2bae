"""The server: tables that people and bots play at, live, from any browser."""
