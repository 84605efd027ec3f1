"""Entries as delivery tests need them, single and in any number."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from asides.model.anchor import Declaration, File, General
from asides.model.entry import Entry, EntryId, Framing, Kind, Source, Standing
from asides.model.turn import ProjectId

# Machines that are busy are slow at times; that is no failure.
unhurried = settings(deadline=None, max_examples=80)


def entry(body: str = "never use axios", **changes: object) -> Entry:
    """Returns a live law said in passing, with the changes given."""
    facts: dict[str, object] = {
        "id": EntryId("aaaaaaaaa"),
        "project": ProjectId("shop"),
        "body": body,
        "kind": Kind.LAW,
        "said_at": "2026-11-28T09:00:00.000Z",
        "last_seen_at": "2026-11-28T09:00:00.000Z",
    }
    return Entry(**(facts | changes))  # type: ignore[arg-type]


MOMENTS = st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z")
ANCHORS = st.one_of(
    st.just(General()),
    st.builds(File, path=st.text(max_size=300)),
    st.builds(Declaration, path=st.text(max_size=100), name=st.text(max_size=300)),
)


def entries(bodies: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[list[Entry]]:
    """Returns lists of any entries with ids of their own."""
    one = st.builds(
        entry,
        body=st.text(max_size=600) if bodies is None else bodies,
        kind=st.sampled_from(Kind),
        source=st.sampled_from(Source),
        framing=st.sampled_from(Framing),
        standing=st.sampled_from([*Standing, *[Standing.LIVE] * 6]),
        anchor=ANCHORS,
        id=st.from_regex(r"[a-z2-7]{9}", fullmatch=True),
        said_at=st.one_of(MOMENTS, st.just(""), st.text(max_size=12)),
        last_seen_at=st.one_of(MOMENTS, st.just("")),
        sightings=st.integers(1, 40),
    )
    return st.lists(one, max_size=14, unique_by=lambda made: made.id)
