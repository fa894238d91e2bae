"""The messages as JSON Schema, and the questions over HTTP as OpenAPI, made from the code that decodes them."""

from typing import Any

import msgspec

from escapade.server import messages

LINES = "application/x-ndjson"  # a line for each message
UNREADY = (404, 409, 410, 413, 429, 503)
UNSOLVED = (400, 404, 413, 429, 503)
REFERENCE = "#/components/schemas/{name}"
BODIES = (
    messages.Setup,
    messages.Made,
    messages.Summary,
    messages.Replay,
    messages.AskReplay,
    messages.AskCheck,
    messages.AskPicture,
    messages.Checked,
    messages.Outline,
    messages.Judgement,
    messages.Verdict,
    messages.AskAdvice,
    messages.Advised,
    messages.Puzzles,
    messages.AskPuzzle,
    messages.Puzzled,
    messages.AskRating,
    messages.Rated,
    messages.Health,
    messages.Refusal,
)


def schemas() -> dict[str, Any]:
    """What may be sent over the socket, either way."""
    (incoming, outgoing), parts = msgspec.json.schema_components([messages.FromClient, messages.ToClient])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "from-client": incoming,
        "to-client": outgoing,
        "$defs": parts,
    }


def openapi() -> dict[str, Any]:
    """The questions over HTTP."""
    found, parts = msgspec.json.schema_components(BODIES, ref_template=REFERENCE)
    body = dict(zip((struct.__name__ for struct in BODIES), found, strict=True))
    refusal = body["Refusal"]
    summaries = {"type": "array", "items": body["Summary"]}
    table = {
        "name": "table",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"},
    }
    puzzle = {**table, "name": "puzzle"}
    turn = {"name": "turn", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 999_999}}
    ids = {"name": "id", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Escapade", "version": "1"},
        "paths": {
            "/api/rules": {"get": question("What can be chosen for a new table", {200: anything()}, refusal)},
            "/api/tables": {
                "get": {
                    **question("Some tables by their ids", {200: json(summaries)}, refusal, faults=(429,)),
                    "parameters": [ids],
                },
                "post": question(
                    "A new table", {201: json(body["Made"])}, refusal, body["Setup"], (400, 413, 429, 503)
                ),
            },
            "/api/tables/{table}/record": {
                "get": {
                    **question("A table's record", {200: text("text/plain")}, refusal, faults=(404, 409, 410, 429)),
                    "parameters": [table],
                }
            },
            "/api/tables/{table}/replay": {
                "get": {
                    **question(
                        "A table's game so far", {200: json(body["Replay"])}, refusal, faults=(404, 409, 410, 429)
                    ),
                    "parameters": [table],
                }
            },
            "/api/tables/{table}/analysis": {
                "get": {
                    **question("What a finished game's turns gave away", {200: text(LINES)}, refusal, faults=UNREADY),
                    "parameters": [table],
                }
            },
            "/api/tables/{table}/picture.png": {
                "get": {
                    **question("A finished game as a picture", {200: picture()}, refusal, faults=(400, *UNREADY)),
                    "parameters": [table, turn],
                }
            },
            "/api/analysis": {
                "post": question(
                    "What a record's turns gave away",
                    {200: text(LINES)},
                    refusal,
                    body["AskReplay"],
                    (400, 413, 429, 503),
                )
            },
            "/api/advice": {
                "post": question(
                    "Hints", {200: json(body["Advised"])}, refusal, body["AskAdvice"], (400, 413, 429, 503)
                )
            },
            "/api/puzzles": {"get": question("All puzzles", {200: json(body["Puzzles"])}, refusal, faults=(429,))},
            "/api/puzzles/{puzzle}": {
                "post": {
                    **question("A puzzle tried", {200: json(body["Puzzled"])}, refusal, body["AskPuzzle"], UNSOLVED),
                    "parameters": [puzzle],
                }
            },
            "/api/puzzles/{puzzle}/rating": {
                "post": {
                    **question("A puzzle rated", {200: json(body["Rated"])}, refusal, body["AskRating"], UNSOLVED),
                    "parameters": [puzzle],
                }
            },
            "/api/puzzles/{puzzle}/picture.png": {
                "get": {
                    **question("A puzzle as a picture", {200: picture()}, refusal, faults=(404, 429, 503)),
                    "parameters": [puzzle],
                }
            },
            "/api/replay": {
                "post": question(
                    "A record, checked", {200: json(body["Replay"])}, refusal, body["AskReplay"], (400, 413, 429, 503)
                )
            },
            "/api/position": {
                "post": question(
                    "A position, checked", {200: json(body["Checked"])}, refusal, body["AskCheck"], (400, 413, 429)
                )
            },
            "/api/qr": {
                "post": question(
                    "A link as a picture", {200: text("image/svg+xml")}, refusal, body["AskPicture"], (400, 413, 429)
                )
            },
            "/health/live": {"get": question("Whether the server answers at all", {200: anything()}, refusal)},
            "/health/ready": {
                "get": question(
                    "Whether it can serve tables", {200: json(body["Health"]), 503: json(body["Health"])}, refusal
                )
            },
        },
        "components": {"schemas": parts},
    }


def question(
    what: str, answers: dict[int, Any], refusal: Any, body: Any = None, faults: tuple[int, ...] = ()
) -> dict[str, Any]:
    """An operation: what it answers, what it refuses, and what it is asked with."""
    responses = {str(status): {"description": what, "content": content} for status, content in answers.items()}
    responses |= {str(status): {"description": "Refused", "content": json(refusal)} for status in faults}
    return {
        "summary": what,
        "responses": responses,
        **({"requestBody": {"required": True, "content": json(body)}} if body else {}),
    }


def json(schema: Any) -> dict[str, Any]:
    """A body of JSON."""
    return {"application/json": {"schema": schema}}


def anything() -> dict[str, Any]:
    """A body of JSON that is described in words."""
    return json({"type": "object"})


def text(kind: str) -> dict[str, Any]:
    """A body of text."""
    return {kind: {"schema": {"type": "string"}}}


def picture() -> dict[str, Any]:
    """A body that is a picture."""
    return {"image/png": {"schema": {"type": "string", "contentMediaType": "image/png"}}}
