"""Edits of a JSON text in part: one value comes or goes, every other byte stays."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from asides.agents.jsontext import Array, JsonValue, Leaf, Node, Object, containers, parse, value_of

Path = tuple[str | int, ...]

_LEAD = re.compile(r"\n([ \t]*)\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a text is laid out."""

    newline: str
    unit: str | None  # one level of indentation; None: everything on one line
    colon: str

    @property
    def comma(self) -> str:
        """What stands between two items on one line."""
        return ", " if self.colon.endswith(" ") else ","


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A JSON text with its parsed form. Editing returns another document."""

    text: str
    root: Node
    path: str

    def at(self, where: Path) -> Node | None:
        """Returns the node at a path of keys and positions, or None."""
        node: Node | None = self.root
        for step in where:
            match node, step:
                case Object(), str():
                    node = node.get(step)
                case Array(items=items), int() if 0 <= step < len(items):
                    node = items[step]
                case _:
                    return None
        return node

    def value(self, where: Path = ()) -> JsonValue:
        """Returns the plain value at a path; None also where there is nothing."""
        node = self.at(where)
        return None if node is None else value_of(node)

    def raw(self, where: Path) -> str:
        """Returns the text of the value at a path."""
        node = self._there(where)
        return self.text[node.start : node.end]

    def interior(self, where: Path) -> str:
        """Returns what stands between the brackets of the container at a path."""
        node = self._there(where)
        return self.text[node.start + 1 : node.end - 1]

    def with_member(self, where: Path, key: str, value: JsonValue) -> Document:
        """Returns the document with a new last member in the object at `where`."""
        return self._with_last(where, value, key)

    def with_element(self, where: Path, value: JsonValue) -> Document:
        """Returns the document with a new last element in the array at `where`."""
        return self._with_last(where, value, None)

    def with_raw(self, where: Path, raw: str) -> Document:
        """Returns the document with the text of the value at `where` replaced."""
        node = self._there(where)
        return self._spliced(node.start, node.end, raw)

    def without(self, where: Path, *, hollow: str = "") -> Document:
        """Returns the document without the member or element at `where`.

        hollow: what stays between the brackets when it was the only one.
        """
        parent = self._there(where[:-1])
        spans = _spans(parent)
        index = where[-1] if isinstance(where[-1], int) else _index(parent, where[-1])
        start, end = spans[index]
        if index > 0:
            return self._spliced(spans[index - 1][1], end, "")
        if len(spans) > 1:
            return self._spliced(start, spans[1][0], "")
        return self._spliced(parent.start + 1, parent.end - 1, hollow)

    def with_interior(self, where: Path, hollow: str) -> Document:
        """Returns the document with other blanks in the empty container at `where`."""
        node = self._there(where)
        return self._spliced(node.start + 1, node.end - 1, hollow)

    @property
    def style(self) -> Style:
        """How this text is laid out, as far as it tells; two blanks where it does not."""
        newline = "\r\n" if "\r\n" in self.text else "\n"
        return Style(newline=newline, unit=self._unit(), colon=self._colon())

    def _there(self, where: Path) -> Node:
        node = self.at(where)
        if node is None:
            raise KeyError(where)
        return node

    def _spliced(self, start: int, end: int, text: str) -> Document:
        return document(self.text[:start] + text + self.text[end:], path=self.path)

    def _lead(self, at: int) -> str | None:
        """Returns the blanks before `at` if only they stand before it on its line."""
        found = _LEAD.search(self.text, self.text.rfind("\n", 0, at) if at else 0, at)
        return found.group(1) if found else None

    def _line_lead(self, at: int) -> str:
        """Returns the blanks that the line of `at` begins with."""
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at].lstrip("\ufeff")
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _unit(self) -> str | None:
        for container in containers(self.root):
            spans = _spans(container)
            lead = self._lead(spans[0][0]) if spans else None
            outer = self._line_lead(container.start)
            if lead is not None and lead.startswith(outer):
                return lead[len(outer) :]
        return None if _spans(self.root) else "  "

    def _colon(self) -> str:
        for container in containers(self.root):
            if isinstance(container, Object) and container.members:
                first = container.members[0]
                colon = self.text[first.key_end : first.value.start]
                return colon if "\n" not in colon and "\r" not in colon else ": "
        return ": "

    def _with_last(self, where: Path, value: JsonValue, key: str | None) -> Document:
        container = self._there(where)
        assert isinstance(container, Object if key is not None else Array)
        style = self.style
        spans = _spans(container)
        if spans:
            lead = self._lead(spans[-1][0])
            item = _render(value, key, style, lead)
            if lead is not None:
                gap = "," + style.newline + lead
            elif len(spans) > 1:
                gap = self.text[spans[-2][1] : spans[-1][0]]
            else:
                gap = style.comma
            return self._spliced(spans[-1][1], spans[-1][1], gap + item)
        if style.unit is None:
            return self._spliced(container.start + 1, container.end - 1, _render(value, key, style, None))
        outer = self._line_lead(container.start)
        inner = outer + style.unit
        filled = style.newline + inner + _render(value, key, style, inner) + style.newline + outer
        return self._spliced(container.start + 1, container.end - 1, filled)


def document(text: str, *, path: str) -> Document:
    """Returns the document of a plain JSON text. Raises NotPlainJson; `path` is for its sentence."""
    return Document(text=text, root=parse(text, path=path), path=path)


def _spans(node: Node) -> list[tuple[int, int]]:
    match node:
        case Leaf():
            return []
        case Array(items=items):
            return [(item.start, item.end) for item in items]
        case Object(members=members):
            return [(member.start, member.end) for member in members]


def _index(parent: Node, key: str) -> int:
    assert isinstance(parent, Object)
    return [member.key for member in parent.members].index(key)


def _render(value: JsonValue, key: str | None, style: Style, lead: str | None) -> str:
    """Returns one item; `lead` is the indentation of its line, None keeps it on one line."""
    front = "" if key is None else json.dumps(key, ensure_ascii=False) + style.colon
    separators = (style.comma, style.colon)
    if lead is None or style.unit is None:
        return front + json.dumps(value, ensure_ascii=False, separators=separators)
    lines = json.dumps(value, ensure_ascii=False, indent=style.unit, separators=(",", style.colon))
    return front + lines.replace("\n", style.newline + lead)
