"""One suite for every store: subjects, doubts, cues, firings and repeats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from asides.model.anchor import Declaration, File, General, Subject
from asides.model.delivery import Choice, Left, Occasion
from asides.model.entry import Act, Actor, EntryId, Source, Standing
from asides.model.errors import NoSuchEntry
from asides.model.judgment import Sighting
from asides.model.turn import SessionId, TurnId
from asides.store.absorb import absorb
from asides.store.contract import ChangedSince
from asides.store.moments import Cued, Firing, Repeat
from tests.support.stores import finding, judgment, statement

HERE = Declaration(path="app.py", name="total")
THERE = Declaration(path="sums.py", name="total")
SUBJECT = Subject(anchor=HERE, fingerprint="00ff", sketch=(1, 2), size=9, commit="c0ffee")
LATER = replace(SUBJECT, fingerprint="11ee", sketch=(1, 3), commit="decade")
SESSION = SessionId("session-2")
SAID = "2026-11-28T12:00:00.000Z"
BEFORE = "2026-11-28T11:59:00.000Z"
AFTER = "2026-11-28T12:00:01.000Z"


@pytest.fixture
def entry(store):
    return store.keep(replace(statement(), anchor=HERE)).entry


def cue(entry, **changes) -> Cued:
    return replace(Cued(entry=entry.id, session=SESSION, subagent="", occasion="edit", at=BEFORE), **changes)


def firing(entry, **changes) -> Firing:
    fired = Firing(entry=entry.id, session=SESSION, path="a.ts", line="import axios", at=BEFORE)
    return replace(fired, **changes)


def again(store, entry, *, turn="turn-2", start=0, said_at=SAID, session=SESSION):
    return store.sight(
        entry.id, turn=TurnId(turn), session=session, start=start, end=start + 9, said_at=said_at
    )


# --- where the subject is ---------------------------------------------------------


def test_an_entry_follows_its_subject_in_one_operation_that_undo_takes_back(store, entry):
    moved = store.reanchor(entry.id, THERE, why="moved")
    assert moved == replace(entry, anchor=THERE)
    (_, operation) = store.history(entry.id)
    assert (operation.act, operation.actor, operation.why) == (Act.ANCHOR, Actor.CHECK, "moved")
    assert (operation.before, operation.after) == (entry, moved)
    store.undo(operation.id)
    assert store.get(entry.id) == entry


def test_a_doubt_is_one_operation_that_undo_takes_back(store, entry):
    doubted = store.doubt(entry.id, "app.py::total has changed")
    assert doubted == replace(entry, verify="app.py::total has changed")
    (_, operation) = store.history(entry.id)
    assert (operation.act, operation.actor) == (Act.DOUBT, Actor.CHECK)
    store.undo(operation.id)
    assert store.get(entry.id) == entry


def test_the_same_place_and_the_same_doubt_write_nothing(store, entry):
    store.reanchor(entry.id, HERE)
    store.doubt(entry.id, "")
    assert [one.act for one in store.history(entry.id)] == [Act.KEEP]


def test_undo_without_a_number_passes_over_what_nobody_was_told_of(store, entry):
    store.reanchor(entry.id, THERE)
    store.doubt(entry.id, "changed")
    (undoing,) = store.undo_last()
    assert undoing.before.anchor == THERE
    assert store.all() == ()


def test_a_keeping_with_a_moved_subject_is_redone_as_it_was_moved(store, entry):
    store.reanchor(entry.id, THERE)
    (undoing,) = store.undo_last()
    store.undo(undoing.id)
    assert store.get(entry.id).anchor == THERE


def test_undoing_a_change_leaves_what_became_of_the_subject_since(store, entry):
    store.edit(entry.id, "other words")
    edited = store.history(entry.id)[-1]
    store.reanchor(entry.id, THERE)
    store.doubt(entry.id, "changed")
    store.undo(edited.id)
    now = store.get(entry.id)
    assert (now.body, now.anchor, now.verify) == (entry.body, THERE, "changed")


def test_a_move_is_not_undone_over_a_later_move(store, entry):
    store.reanchor(entry.id, THERE)
    first = store.history(entry.id)[-1]
    store.reanchor(entry.id, General())
    with pytest.raises(ChangedSince):
        store.undo(first.id)


@pytest.mark.parametrize("way", ["sight", "confirm", "restore"])
def test_words_that_a_person_stands_by_again_are_no_longer_in_doubt(store, entry, way):
    store.put_subject(entry.id, SUBJECT)
    store.put_subject(entry.id, LATER)
    store.doubt(entry.id, "changed")
    if way == "sight":
        again(store, entry)
    elif way == "confirm":
        store.confirm(entry.id)
    else:
        store.retire(entry.id)
        store.restore(entry.id)
    assert store.get(entry.id).verify == ""


@pytest.mark.parametrize("verb", ["retire", "refuse", "supersede"])
def test_moving_and_doubting_bring_nothing_back(store, entry, verb):
    other = store.keep(statement("use fetch", turn="turn-9")).entry
    _ = store.supersede(entry.id, other.id) if verb == "supersede" else getattr(store, verb)(entry.id)
    ended = store.get(entry.id)
    store.reanchor(entry.id, THERE)
    after = store.doubt(entry.id, "changed")
    assert (after.standing, after.said_at, after.last_seen_at) == (
        ended.standing,
        entry.said_at,
        entry.last_seen_at,
    )


# --- subjects -----------------------------------------------------------------------


def test_a_subject_keeps_how_it_was_when_it_was_spoken_of(store, entry):
    store.put_subject(entry.id, SUBJECT)
    store.put_subject(entry.id[:4], LATER)
    (one,) = store.subjects()
    assert (one.entry, one.subject, one.said, one.gone_at) == (entry.id, LATER, SUBJECT, "")


def test_a_subject_spoken_of_again_is_what_it_is_now(store, entry):
    store.put_subject(entry.id, SUBJECT)
    store.put_subject(entry.id, LATER)
    again(store, entry)
    assert [one.said for one in store.subjects()] == [LATER]


def test_a_subject_of_a_file_is_found_again_whole(store, entry):
    subject = replace(SUBJECT, anchor=File(path="ünï/日本.py"), sketch=(), commit="")
    store.put_subject(entry.id, subject, gone_at=SAID)
    assert [(one.subject, one.gone_at) for one in store.subjects()] == [(subject, SAID)]


def test_an_entry_that_becomes_general_has_no_subject(store, entry):
    store.put_subject(entry.id, SUBJECT)
    store.drop_subject(entry.id)
    store.drop_subject(entry.id)
    assert store.subjects() == ()


def test_an_unknown_entry_has_no_subject(store):
    for act in (lambda: store.put_subject("zzz", SUBJECT), lambda: store.drop_subject("zzz")):
        with pytest.raises(NoSuchEntry):
            act()


def test_of_ended_entries_only_those_whose_subject_went_are_looked_for(store, entry):
    proposed = store.keep(statement("use tabs", turn="turn-3", standing=Standing.PROPOSED)).entry
    replaced = store.keep(statement("use spaces", turn="turn-4")).entry
    refused = store.keep(statement("use dots", turn="turn-5")).entry
    by_hand = store.keep(statement("use commas", turn="turn-6")).entry
    for one in (entry, proposed, replaced, refused, by_hand):
        store.put_subject(one.id, SUBJECT)
    store.supersede(replaced.id, proposed.id)
    store.refuse(refused.id)
    store.retire(by_hand.id)
    store.retire(entry.id, actor=Actor.CHECK, why="app.py::total is gone")
    store.put_subject(entry.id, SUBJECT, gone_at=SAID)
    assert {one.entry: one.gone_at for one in store.subjects()} == {entry.id: SAID, proposed.id: ""}


@pytest.mark.parametrize("way", ["undo", "restore"])
def test_an_entry_that_comes_back_has_its_subject(store, entry, way):
    store.put_subject(entry.id, SUBJECT)
    store.retire(entry.id)
    assert store.subjects() == ()
    _ = store.undo_last() if way == "undo" else store.restore(entry.id)
    assert [(one.entry, one.subject) for one in store.subjects()] == [(entry.id, SUBJECT)]


# --- cues and firings ----------------------------------------------------------------


def test_a_cue_taken_in_twice_is_one_cue(store, entry):
    other = cue(entry, subagent="agent-1")
    for one in (cue(entry), other, cue(entry)):
        store.note_cue(one)
    assert store.cues() == store.cues(entry.id[:4]) == (cue(entry), other)


def test_cues_and_firings_are_told_oldest_first_and_by_entry(store, entry):
    second = store.keep(statement("use tabs", turn="turn-3")).entry
    store.note_cue(cue(entry, at=SAID))
    store.note_cue(cue(second))
    store.note_firing(firing(entry, at=SAID))
    store.note_firing(firing(second))
    assert [one.entry for one in store.cues()] == [second.id, entry.id]
    assert [one.entry for one in store.firings()] == [second.id, entry.id]
    assert store.cues(second.id) == (cue(second),)
    assert store.firings(second.id) == (firing(second),)


def test_a_firing_is_settled_once_and_stays_settled_when_it_is_taken_in_again(store, entry):
    store.note_firing(firing(entry))
    assert store.open_firings(SESSION) == (firing(entry),)
    store.settle_firing(firing(entry), "heeded", SAID)
    store.settle_firing(firing(entry), "broken", "2026-11-28T13:00:00.000Z")
    store.note_firing(firing(entry))
    assert store.open_firings(SESSION) == ()
    assert store.firings() == (firing(entry, outcome="heeded", settled_at=SAID),)


def test_firings_of_another_session_are_not_open_in_this_one(store, entry):
    store.note_firing(firing(entry, session=SessionId("session-3")))
    assert store.open_firings(SESSION) == ()
    store.settle_firing(firing(entry), "broken", SAID)  # never noted: nothing is made of it
    assert [one.outcome for one in store.firings()] == ["open"]


def test_a_step_that_fails_leaves_no_cue_no_firing_and_no_subject(store, entry):
    def fail() -> None:
        with store.step():
            store.put_subject(entry.id, SUBJECT)
            store.note_cue(cue(entry))
            store.note_firing(firing(entry))
            again(store, entry)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert (store.subjects(), store.cues(), store.firings(), store.repeats()) == ((), (), (), ())


# --- repeats --------------------------------------------------------------------------


def prepare(
    store, entry, *, left: Left | None = None, occasion: Occasion = Occasion.START, at=BEFORE
) -> None:
    choice = Choice(occasion=occasion, chosen=() if left else (entry,), left=((entry, left),) if left else ())
    store.note_prepared("v1", [choice])
    store.note_delivery(SESSION, occasion, "v1", at)


def repeat(entry, *, delivered: bool) -> Repeat:
    return Repeat(entry=entry.id, turn=TurnId("turn-2"), session=SESSION, at=SAID, delivered=delivered)


def test_what_stood_and_is_said_again_is_a_repeat_counted_once(store, entry):
    again(store, entry)
    again(store, entry)
    again(store, entry, start=40)  # the same turn says it twice
    assert store.repeats() == store.repeats(entry.id) == (repeat(entry, delivered=False),)


@pytest.mark.parametrize("occasion", [Occasion.START, Occasion.COMPACT, Occasion.REPLACE])
def test_a_repeat_tells_that_the_session_had_the_entry(store, entry, occasion):
    prepare(store, entry, occasion=occasion)
    again(store, entry)
    assert store.repeats() == (repeat(entry, delivered=True),)


def test_a_repeat_tells_that_the_entry_was_due_before(store, entry):
    store.note_cue(cue(entry))
    again(store, entry)
    assert store.repeats() == (repeat(entry, delivered=True),)


@pytest.mark.parametrize("how", ["left out", "sub-agent", "another session", "cue after", "text after"])
def test_what_the_agent_did_not_have_by_then_was_not_delivered(store, entry, how):
    match how:
        case "left out":
            prepare(store, entry, left=Left.ROOM)
        case "sub-agent":
            prepare(store, entry, occasion=Occasion.SUBAGENT)
        case "another session":
            store.note_cue(cue(entry, session=SessionId("session-3")))
        case "cue after":
            store.note_cue(cue(entry, at=AFTER))
        case _:
            prepare(store, entry, at=AFTER)
    again(store, entry)
    assert store.repeats() == (repeat(entry, delivered=False),)


def test_what_was_only_proposed_is_confirmed_by_saying_it_again_and_no_repeat(store):
    proposed = store.keep(statement(standing=Standing.PROPOSED)).entry
    again(store, proposed)
    assert store.repeats() == ()
    again(store, proposed, turn="turn-3")
    assert [one.turn for one in store.repeats()] == ["turn-3"]


def test_words_added_by_hand_are_no_repeat(store, entry):
    store.keep(statement(turn=None), actor=Actor.PERSON)
    store.sight(entry.id)
    assert store.repeats() == ()


def test_the_turn_that_an_entry_came_from_and_older_ones_repeat_nothing(store, entry):
    again(store, entry, turn="turn-1", start=40)
    again(store, entry, turn="turn-0", said_at="2026-11-28T08:00:00.000Z")
    assert store.get(entry.id).sightings == 3
    assert store.repeats() == ()


@pytest.mark.parametrize(("source", "repeats"), [(Source.HUMAN, 1), (Source.AGENT, 0)])
def test_only_the_developer_repeats(store, entry, source, repeats):
    found = finding(relation=Sighting(entry=entry.id, likeness=0.98))
    found = replace(found, draft=replace(found.draft, source=source))
    absorb(store, judgment(found, turn="turn-2", said_at=SAID), at="2026-11-28T13:00:00.000Z")
    assert store.get(entry.id).sightings == 2
    assert len(store.repeats()) == repeats


def test_what_is_recorded_of_an_unknown_entry_is_asked_for_in_vain(store):
    for ask in (store.cues, store.firings, store.repeats):
        with pytest.raises(NoSuchEntry):
            ask(EntryId("zzz"))
