"""Pasted logs, traces, diffs and code, recognised by lines that nobody types."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

RUN = 3  # lines of one sort in a row; two can be a person's list

_TRACEBACK = re.compile(r"[ \t]*Traceback \(most recent call last\):")
_HUNK = re.compile(r"diff --git |@@ -\d|--- (?:a/|/dev/null)|Index: \S")
_IN_DIFF = re.compile(r"[ +\\-]|diff --git |index [0-9a-f]|@@|new file|deleted file|similarity|rename |$")

# Bounded and possessive: a line is looked at once, whatever it holds.
_MACHINE = re.compile(
    r"""[ \t]{0,40}+(?:
      \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d                                   # a moment
    | \[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s
    | (?:\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|NOTICE)\]?[\s:\]])
    | (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\ {1,2}\d{1,2}\ \d\d:\d\d
    | File\ "[^"\n]{1,400}",\ line\ \d
    | at\ [\w$.<>\[\]/@:\ -]{1,300}\(?[^\s()]{0,300}:\d+
    | at\ [\w$.]{1,200}\([\w.]{1,80}(?::\d+)?\)
    | \#\d{1,3}\s+(?:0x[0-9a-f]+|\S{1,80}\s+\()                         # a debugger's frame
    | (?:E\s{2,}|FAILED\ |PASSED\ |={5,}|-{5,}\s?\w)                      # pytest
    | (?:npm|yarn|pnpm)\ (?:ERR!|WARN|error|warn)
    | [\w./\\-]{1,300}\.\w{1,5}[:(]\d{1,6}[:,)]                             # file:line:
    | (?:error|warning|note)(?:\[\w{1,10}\])?:\s
    | (?:\d{1,5}\s)?\|\s
    | -->\ \S
    | (?:\$|❯|➜|PS\ [A-Z]:\\|>>>|\w{1,30}@[\w.-]{1,40}[:\ ~])\s?\S
    | [\w.]{1,80}(?:Error|Exception|Warning)(?::\s|$)
    | \d{1,3}(?:\.\d{1,3}){3}\s-\s                                        # an access log
    )""",
    re.VERBOSE,
)
_CODE = re.compile(
    r"""[ \t]{0,80}+(?:
      from\ [\w.]{1,120}\ import\ .{1,200}$
    | import\ (?:[\w.]{1,120}(?:\ as\ \w{1,40})?;?$|.{1,300}\ from\ ['"].{1,200}$|['"].{1,200}$)
    | (?:export\ |public\ |private\ |static\ |async\ |pub\ )*+
      (?:def|class|function|fn|func|interface|enum|struct)\ \w.{0,200}[:{(,]$
    | (?:const|let|var)\ [\w{\[].{0,200}[=;{(,]$
    | (?:const|let|var)\ [\w{\[].{0,80}=\ .{1,200}$
    | \#(?:include|define)\b
    | .{0,300}[;{]$
    | [)}\]]{1,4}+[;,)]{0,3}+$
    | "[\w$@/.-]{1,80}":\ .{1,300}$
    | </?[A-Za-z][\w.-]{0,40}(?:\s.{0,300})?/?>$
    | //\s.{0,200}$
    | /\*\*?
    )""",
    re.VERBOSE,
)
_PROSE = re.compile(r"[ \t]{0,8}+(?:[A-Za-z'’]{1,20}+[,.]? ){6}")  # six plain words at the start of a line


def pasted(message: str) -> Iterator[Span]:
    """Yields the spans of pasted machine text: tracebacks, diffs, and runs of log or code lines."""
    lines = _lines(message)
    yield from _tracebacks(lines)
    yield from _diffs(lines)
    yield from _runs(lines)


def _lines(message: str) -> list[tuple[int, int, str]]:
    """Returns start, end with its line end, and the first 400 characters of each line."""
    lines: list[tuple[int, int, str]] = []
    start = 0
    while start < len(message):
        end = message.find("\n", start)
        end = len(message) if end < 0 else end + 1
        lines.append((start, end, message[start : min(end, start + 400)].rstrip()))
        start = end
    return lines


def _tracebacks(lines: list[tuple[int, int, str]]) -> Iterator[Span]:
    opened: int | None = None
    for start, end, text in lines:
        if _TRACEBACK.match(text):
            opened = start if opened is None else opened
        elif opened is not None and text and not text[0].isspace():
            yield opened, end
            opened = None
    if opened is not None:
        yield opened, lines[-1][1]


def _diffs(lines: list[tuple[int, int, str]]) -> Iterator[Span]:
    opened: int | None = None
    last = 0
    for start, end, text in lines:
        if opened is None and _HUNK.match(text):
            opened = start
        elif opened is not None and not _IN_DIFF.match(text):
            yield opened, last
            opened = None
        last = end
    if opened is not None:
        yield opened, last


def _runs(lines: list[tuple[int, int, str]]) -> Iterator[Span]:
    """Yields runs of log lines and runs of code lines; lines indented deeper, or empty, may lie between."""
    for looks in (_is_log, _is_code):
        run: list[Span] = []
        certain = 0
        for start, end, text in [*lines, (0, 0, "end of the message.")]:
            if looks(text):
                run.append((start, end))
                certain += 1
            elif run and (not text.strip() or text.startswith(("  ", "\t"))):
                continue
            else:
                if certain >= RUN:
                    yield run[0][0], run[-1][1]
                run, certain = [], 0


def _is_log(text: str) -> bool:
    return _MACHINE.match(text) is not None


def _is_code(text: str) -> bool:
    return _CODE.match(text) is not None and not _PROSE.match(text)
