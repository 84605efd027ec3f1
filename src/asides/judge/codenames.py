"""What reads like the name of something declared: total(), `Cart.total`, chargeCard, MAX_RETRIES."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asides.judge.words import vocabulary

_NAME = r"[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*[?!]?"
_CALLED = re.compile(rf"(?<![\w.$/-])({_NAME})\(\)")
_TICKED = re.compile(rf"`({_NAME}|[A-Za-z_][\w-]*\w)(?:\([^`]*\))?`")
_BARE = re.compile(rf"(?<![\w.$/@`#-])({_NAME})(?![\w$/`-]|\.\w|\()")
_BUILT = re.compile(
    r"[a-z]\w*[a-z0-9][A-Z]\w*|[A-Z]\w*[a-z0-9][A-Z]\w*"  # chargeCard, UserService
    r"|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+"  # charge_card, MAX_RETRIES
)
_JOINTS = re.compile(r"::|#|->")
# Built like names, and said of what no project declares.
_MAKES = vocabulary(
    """
    javascript typescript coffeescript github gitlab bitbucket postgresql mysql sqlite mongodb dynamodb
    graphql openai chatgpt nodejs nextjs youtube linkedin whatsapp iphone ipad macos ios devops webpack
    websocket websockets oauth jetbrains intellij pycharm webstorm vscode powershell fastapi sqlalchemy
    tensorflow pytorch nestjs vuejs rabbitmq clickhouse cloudflare cloudfront bigquery airtable paypal
    stackoverflow readme todo fixme grafana cockroachdb elasticsearch opentelemetry openapi restful
    protobuf todos prs apis urls ids
    """
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeName:
    """A name with dots between its parts. `marked`: written as code for certain, by ticks or by brackets."""

    name: str
    marked: bool


def names_of_code(body: str) -> tuple[CodeName, ...]:
    """Returns what an entry may call something declared by, once each, in order.

    A plain word counts in ticks or with brackets behind it only; without them a name must be built like one.
    """
    found: dict[str, tuple[int, bool]] = {}
    for pattern, marked in ((_CALLED, True), (_TICKED, True), (_BARE, False)):
        for match in pattern.finditer(body):
            name = _JOINTS.sub(".", match.group(1))
            last = name.rpartition(".")[2]
            if not marked and (not _BUILT.fullmatch(last) or last.lower() in _MAKES):
                continue
            found.setdefault(name, (match.start(1), marked))
    ordered = sorted(found.items(), key=lambda one: one[1])
    return tuple(CodeName(name=name, marked=marked) for name, (_, marked) in ordered)
