"""One suite for every store: what `asides.store.contract.Store` promises."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.model.anchor import Declaration, File
from asides.model.delivery import Choice, Left, Occasion
from asides.model.entry import Act, Actor, EntryId, OperationId, Standing
from asides.model.errors import Ambiguous, NoSuchEntry, NotFound, Refused
from asides.model.judgment import Reason, Sighting, Supersedes, Withdrawn
from asides.model.turn import SessionId, TurnId
from asides.store.absorb import absorb
from asides.store.contract import ChangedSince, RefusedBefore, Store
from tests.support.stores import PROJECT, finding, judgment, statement

AT = "2026-11-28T11:00:00.000Z"
LATE = "2026-11-28T10:30:00.000Z"  # after everything that the ticking clock times, before AT


# --- keeping ---------------------------------------------------------------------


def test_what_is_kept_is_found_again_whole(store):
    said = replace(statement("don't touch\nünï → 日本"), anchor=Declaration(path="a.py", name="f"), score=0.5)
    entry = store.keep(said).entry
    assert store.get(entry.id) == entry
    assert (entry.body, entry.anchor, entry.score) == (said.body, said.anchor, 0.5)
    assert entry.project == PROJECT
    assert store.live() == (entry,)


def test_a_file_named_general_stays_a_file(store):
    entry = store.keep(replace(statement(), anchor=File(path="general"))).entry
    assert store.get(entry.id).anchor == File(path="general")
    assert store.history(entry.id)[0].after == entry


def test_the_same_span_judged_again_makes_no_second_entry(store):
    first = store.keep(statement())
    again = store.keep(statement())
    assert (first.fresh, again.fresh) == (True, False)
    assert again.entry == first.entry
    assert len(store.operations()) == 1


def test_two_spans_of_one_turn_are_two_entries(store):
    message = "never use axios"
    store.keep(statement(message, start=0))
    store.keep(statement(message, start=40))
    assert len(store.all()) == 2


def test_the_same_turn_gets_the_same_id_in_any_store(opener, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = opener(tmp_path / "a"), opener(tmp_path / "b")
    two.keep(statement("something else", turn="turn-0"))
    assert one.keep(statement()).entry.id == two.keep(statement()).entry.id
    one.close()
    two.close()


def test_two_rules_added_by_hand_are_two_entries_with_ids_of_nine(store):
    ids = {store.keep(statement(body, turn=None), actor=Actor.PERSON).entry.id for body in ("no x", "no y")}
    assert len(ids) == 2
    assert all(len(one) == 9 and one.isalnum() and one.islower() for one in ids)


def test_words_added_by_hand_that_stand_already_are_said_again_and_no_second_entry(store):
    entry = store.keep(statement()).entry
    again = store.keep(statement("Never use `axios`!", turn=None, said_at=LATE), actor=Actor.PERSON)
    assert not again.fresh
    assert again.entry == replace(entry, sightings=2, last_seen_at=LATE)
    assert store.all() == (again.entry,)


def test_words_added_by_hand_that_were_proposed_are_confirmed(store):
    entry = store.keep(statement(standing=Standing.PROPOSED)).entry
    again = store.keep(statement("Never use axios", turn=None), actor=Actor.PERSON)
    assert (again.fresh, again.entry) == (False, replace(entry, standing=Standing.LIVE))
    assert [one.act for one in store.history(entry.id)] == [Act.KEEP, Act.CONFIRM]


def test_words_added_by_hand_repeat_the_live_entry_rather_than_the_proposed_one(store):
    store.keep(statement(standing=Standing.PROPOSED))
    live = store.keep(statement(turn="turn-2")).entry
    assert store.keep(statement(turn=None), actor=Actor.PERSON).entry.id == live.id
    assert store.live() == (store.get(live.id),)


@pytest.mark.parametrize("verb", ["retire", "refuse", "edit"])
def test_words_added_by_hand_that_no_longer_stand_are_a_new_entry(store, verb):
    entry = store.keep(statement()).entry
    _ = store.edit(entry.id, "other words") if verb == "edit" else getattr(store, verb)(entry.id)
    assert store.keep(statement(turn=None), actor=Actor.PERSON).fresh


@pytest.mark.parametrize("body", ["", " \n", "half a character \udc88"])
def test_an_entry_without_words_that_can_be_stored_is_refused(store, body):
    with pytest.raises(Refused):
        store.keep(statement(body))
    assert store.operations() == ()
    entry = store.keep(statement()).entry
    with pytest.raises(Refused):
        store.edit(entry.id, body)
    assert store.all() == (entry,)


def test_storage_is_not_bounded_by_what_can_be_delivered(store):
    for number in range(60):
        store.keep(statement(f"rule {number} " + "x" * 500, turn=f"turn-{number}"))
    assert len(store.live()) == 60


def test_entries_come_oldest_first_whatever_the_order_of_keeping(store):
    late = store.keep(statement("late", turn="b", said_at="2026-11-28T10:00:00.000Z")).entry
    early = store.keep(statement("early", turn="a", said_at="2026-11-27T10:00:00.000Z")).entry
    assert store.all() == (early, late)


# --- finding by name ----------------------------------------------------------------


def test_a_unique_prefix_names_an_entry_in_any_case(store):
    entry = store.keep(statement()).entry
    assert store.get(f" {entry.id[:4].upper()} ") == entry


def test_a_prefix_of_several_is_ambiguous_and_names_them(store):
    seen: dict[str, str] = {}
    for number in range(40):
        entry = store.keep(statement(f"rule {number}", turn=f"turn-{number}")).entry
        if entry.id[0] in seen:
            break
        seen[entry.id[0]] = entry.id
    with pytest.raises(Ambiguous) as caught:
        store.get(entry.id[0])
    assert entry.id in caught.value.sentence
    assert seen[entry.id[0]] in caught.value.sentence


@pytest.mark.parametrize("name", ["", "  ", "%", "_", "nothere", "'"])
def test_a_name_of_nothing_is_no_such_entry(store, name):
    store.keep(statement())
    with pytest.raises(NoSuchEntry):
        store.get(name)


# --- standing -----------------------------------------------------------------------


def test_saying_a_proposed_entry_again_makes_it_live(store):
    entry = store.keep(statement(standing=Standing.PROPOSED)).entry
    assert store.live() == ()
    seen = store.sight(entry.id, turn=TurnId("turn-2"), start=3, end=9, said_at=AT)
    assert (seen.standing, seen.sightings, seen.last_seen_at) == (Standing.LIVE, 2, AT)


@pytest.mark.parametrize("standing", [Standing.LIVE, Standing.PROPOSED])
def test_a_doubtful_sighting_counts_and_makes_nothing_live(store, standing):
    entry = store.keep(statement(standing=Standing.PROPOSED)).entry
    said = finding(standing=standing, relation=Sighting(entry=entry.id, likeness=0.98))
    absorb(store, judgment(said, turn="turn-2"), at=AT)
    assert [(one.standing, one.sightings) for one in store.all()] == [(standing, 2)]


def test_a_sighting_of_the_same_span_counts_once(store):
    entry = store.keep(statement()).entry
    for _ in range(3):
        store.sight(entry.id, turn=TurnId("turn-2"), start=3, end=9)
    assert store.get(entry.id).sightings == 2


def test_the_span_an_entry_came_from_is_no_sighting_of_it(store):
    entry = store.keep(statement()).entry
    store.sight(entry.id, turn=entry.turn, start=0, end=len(entry.body))
    assert store.get(entry.id).sightings == 1


def test_one_rule_stated_in_ten_turns_is_one_entry_with_ten_sightings(store):
    entry = store.keep(statement()).entry
    for number in range(2, 11):
        said = finding(relation=Sighting(entry=entry.id, likeness=0.98))
        absorb(store, judgment(said, turn=f"turn-{number}"), at=AT)
    assert [one.sightings for one in store.all()] == [10]


def test_confirming_makes_a_proposed_entry_live_and_again_changes_nothing(store):
    entry = store.keep(statement(standing=Standing.PROPOSED)).entry
    assert store.confirm(entry.id).standing is Standing.LIVE
    store.confirm(entry.id)
    assert [one.act for one in store.history(entry.id)] == [Act.KEEP, Act.CONFIRM]


@pytest.mark.parametrize("verb", ["retire", "refuse"])
def test_what_was_taken_out_is_not_confirmed_but_restored(store, verb):
    entry = store.keep(statement()).entry
    getattr(store, verb)(entry.id, why="gone")
    assert (store.live(), store.get(entry.id).note) == ((), "gone")
    with pytest.raises(Refused, match="restore"):
        store.confirm(entry.id)
    assert store.restore(entry.id) == entry


def test_an_edit_changes_the_words_and_nothing_else(store):
    entry = store.keep(statement()).entry
    assert store.edit(entry.id, "never use axios or got") == replace(entry, body="never use axios or got")
    with pytest.raises(Refused):
        store.edit(entry.id, " ")


def test_a_superseded_entry_names_its_successor(store):
    old = store.keep(statement()).entry
    new = store.keep(statement("use axios again", turn="turn-2")).entry
    gone = store.supersede(old.id, new.id)
    assert gone.standing is Standing.SUPERSEDED
    assert new.id in gone.note
    assert store.live() == (new,)
    with pytest.raises(Refused):
        store.supersede(new.id, new.id)


# --- tombstones -----------------------------------------------------------------------


@pytest.mark.parametrize("again", ["never use axios", "  Never use  AXIOS!", "«never» use `axios`."])
def test_a_refused_value_never_comes_back_from_an_old_transcript(store, again):
    entry = store.keep(statement()).entry
    store.refuse(entry.id)
    assert store.is_refused(again)
    with pytest.raises(RefusedBefore):
        store.keep(statement(again, turn="turn-9"))
    assert store.live() == ()


def test_an_edited_entry_is_refused_in_all_the_wordings_it_had(store):
    entry = store.keep(statement()).entry
    store.edit(entry.id, "no axios here")
    store.refuse(entry.id)
    assert store.is_refused("never use axios")
    assert store.is_refused("No axios here")


@pytest.mark.parametrize(("said", "other"), [("use C++", "use C"), ("a.b is fine", "ab is fine")])
def test_signs_inside_a_word_make_another_value(store, said, other):
    store.refuse(store.keep(statement(said)).entry.id)
    assert not store.is_refused(other)


def test_retiring_is_not_refusing_and_the_words_may_come_back(store):
    entry = store.keep(statement()).entry
    store.retire(entry.id)
    assert not store.is_refused(entry.body)
    assert store.keep(statement(turn="turn-2")).fresh


def test_a_person_may_bring_refused_words_back_by_hand(store):
    entry = store.keep(statement()).entry
    store.refuse(entry.id)
    store.keep(statement(turn=None), actor=Actor.PERSON)
    assert not store.is_refused(entry.body)


def test_undoing_a_refusal_lifts_the_tombstone(store):
    entry = store.keep(statement()).entry
    store.refuse(entry.id)
    store.undo_last()
    assert not store.is_refused(entry.body)
    assert store.live() == (entry,)


# --- undo -----------------------------------------------------------------------------


def test_every_change_is_one_operation_with_before_and_after(store):
    kept = store.keep(statement()).entry
    edited = store.edit(kept.id, "no axios", why="shorter")
    (first, second) = store.history(kept.id)
    assert (first.act, first.actor, first.before, first.after) == (Act.KEEP, Actor.WRITER, None, kept)
    assert (second.act, second.actor, second.before, second.after) == (Act.EDIT, Actor.PERSON, kept, edited)
    assert second.why == "shorter"
    assert store.operations(1) == (second,)


def test_undo_restores_exactly_what_stood_before(store):
    entry = store.keep(statement()).entry
    store.edit(entry.id, "changed")
    store.refuse(entry.id, why="no")
    store.undo_last(2)
    assert store.get(entry.id) == entry


def test_undoing_a_keeping_leaves_no_entry_but_its_history(store):
    entry = store.keep(statement()).entry
    (undone,) = store.undo_last()
    assert (undone.act, undone.before, undone.after) == (Act.UNDO, entry, None)
    with pytest.raises(NoSuchEntry):
        store.get(entry.id)
    kept, undo = store.history(entry.id)
    assert kept.undone_by == undo.id == undone.id


def test_what_a_person_took_back_does_not_return_when_its_turn_is_judged_again(store):
    entry = store.keep(statement()).entry
    store.undo_last()
    again = store.keep(statement())
    assert (again.fresh, again.entry) == (False, entry)
    assert store.all() == ()


def test_undo_of_an_undo_is_a_redo(store):
    entry = store.keep(statement()).entry
    edited = store.edit(entry.id, "changed")
    (undone,) = store.undo_last()
    assert store.get(entry.id) == entry
    store.undo(undone.id)
    assert store.get(entry.id) == edited
    assert store.history(entry.id)[1].undone_by is None
    store.undo_last()
    assert store.get(entry.id) == entry


def test_undo_again_and_again_walks_back_and_then_does_nothing(store):
    entry = store.keep(statement()).entry
    store.edit(entry.id, "changed")
    store.undo_last()
    store.undo_last()
    assert store.all() == ()
    assert store.undo_last() == ()


def test_an_operation_is_not_undone_twice(store):
    store.keep(statement())
    (first,) = store.operations()
    store.undo(first.id)
    with pytest.raises(Refused):
        store.undo(first.id)


def test_an_unknown_operation_is_not_found(store):
    with pytest.raises(NotFound):
        store.undo(OperationId(99))


def test_an_undo_never_loses_a_later_change(store):
    entry = store.keep(statement()).entry
    (kept,) = store.operations()
    edited = store.edit(entry.id, "changed")
    with pytest.raises(ChangedSince):
        store.undo(kept.id)
    assert store.get(entry.id) == edited
    assert len(store.operations()) == 2


def test_a_step_is_undone_as_a_whole_so_that_a_replaced_rule_stands_again(store):
    old = store.keep(statement()).entry
    said = finding("use axios again", relation=Supersedes(entry=old.id, likeness=0.8))
    absorb(store, judgment(said, turn="turn-2"), at=AT)
    assert [one.body for one in store.live()] == ["use axios again"]
    store.undo_last()
    assert store.all() == (old,)


def test_one_saying_ends_several_rules_and_one_undo_brings_all_back(store):
    front, back = store.keep(statement("start with m_")).entry, store.keep(statement("end with _k")).entry
    relation = Supersedes(entry=front.id, likeness=0.9, also=(back.id,))
    done = absorb(store, judgment(finding("use q_ and _z", relation=relation), turn="turn-2"), at=AT)
    assert [one.id for one in done.superseded] == [front.id, back.id]
    assert [one.body for one in store.live()] == ["use q_ and _z"]
    assert {one.note for one in store.all((Standing.SUPERSEDED,))} == {f"superseded by {done.kept[0].id}"}
    store.undo_last()
    assert set(store.live()) == {front, back}


def test_of_several_rules_one_that_a_person_touched_since_stays(store):
    front, back = store.keep(statement("start with m_")).entry, store.keep(statement("end with _k")).entry
    edited = store.edit(back.id, "end with _kk")
    said = finding("use q_ and _z", relation=Supersedes(entry=front.id, likeness=0.9, also=(edited.id,)))
    done = absorb(store, judgment(said, turn="turn-2", said_at="2026-11-28T09:30:00.000Z"), at=AT)
    assert [one.id for one in done.superseded] == [front.id]
    assert edited in store.live()


def test_one_undo_takes_back_all_that_one_judgment_kept(store):
    old = store.keep(statement("use pnpm")).entry
    message = "never use axios. and keep it small. use npm"
    absorb(
        store,
        judgment(
            finding(message=message),
            finding("keep it small", message=message),
            finding("use npm", message=message, relation=Supersedes(entry=old.id, likeness=0.8)),
            turn="turn-2",
            message=message,
        ),
        at=AT,
    )
    assert len(store.live()) == 3
    undone = store.undo_last()
    assert store.all() == (old,)
    store.undo(undone[-1].id)
    assert sorted(one.body for one in store.live()) == ["keep it small", "never use axios", "use npm"]


def _sighting_of(entry, turn: str, **changes):
    return judgment(finding(relation=Sighting(entry=entry.id, likeness=0.98)), turn=turn, **changes)


def test_undo_passes_over_sightings_and_takes_back_what_was_kept(store):
    first = store.keep(statement("keep it small", turn="turn-0")).entry
    absorb(store, judgment(finding()), at=AT)
    (entry,) = [one for one in store.all() if one != first]
    absorb(store, _sighting_of(entry, "turn-2"), at=AT)
    absorb(store, _sighting_of(entry, "turn-3"), at=AT)
    (undone,) = store.undo_last()
    assert (undone.act, undone.entry, undone.after) == (Act.UNDO, entry.id, None)
    assert store.all() == (first,)
    store.undo(undone.id)
    assert store.get(entry.id).sightings == 3


def test_a_sighting_that_made_an_entry_live_is_taken_back_by_undo(store):
    entry = store.keep(statement(standing=Standing.PROPOSED)).entry
    absorb(store, _sighting_of(entry, "turn-2"), at=AT)
    absorb(store, _sighting_of(entry, "turn-3", said_at=LATE), at=AT)
    assert store.live()[0].sightings == 3
    store.undo_last()
    assert store.get(entry.id) == replace(entry, sightings=2, last_seen_at=LATE)


def test_undo_passes_over_what_the_writer_only_proposed(store):
    absorb(store, judgment(finding()), at=AT)
    proposed = finding("keep it small", standing=Standing.PROPOSED)
    absorb(store, judgment(proposed, turn="turn-2", message="keep it small"), at=AT)
    store.undo_last()
    assert [(one.body, one.standing) for one in store.all()] == [("keep it small", Standing.PROPOSED)]
    assert store.undo_last() == ()
    (left,) = store.all()
    store.refuse(left.id)
    store.undo_last()
    assert store.all() == (left,)


def test_words_that_a_person_repeated_by_hand_are_taken_back_by_undo(store):
    entry = store.keep(statement()).entry
    store.keep(statement(turn=None), actor=Actor.PERSON)
    store.undo_last()
    assert store.all() == (entry,)


def test_undoing_a_change_leaves_what_was_counted_since(store):
    entry = store.keep(statement()).entry
    store.edit(entry.id, "no axios")
    absorb(store, _sighting_of(entry, "turn-2", said_at=LATE), at=AT)
    store.undo_last()
    assert store.get(entry.id) == replace(entry, sightings=2, last_seen_at=LATE)


def test_a_sighting_undone_by_name_takes_back_its_own_count_and_no_later_change(store):
    entry = store.keep(statement()).entry
    absorb(store, _sighting_of(entry, "turn-2"), at=AT)
    (sighting, _) = store.operations()
    edited = store.edit(entry.id, "no axios")
    absorb(store, _sighting_of(entry, "turn-3", said_at=LATE), at=AT)
    store.undo(sighting.id)
    assert store.get(entry.id) == replace(edited, sightings=2, last_seen_at=LATE)


def test_a_judgment_is_undone_although_what_it_saw_was_taken_back_or_changed_since(store):
    seen = store.keep(statement()).entry
    (keeping,) = store.operations()
    message = "never use axios. and keep it small"
    said = finding(message=message, relation=Sighting(entry=seen.id, likeness=0.98))
    kept = finding("keep it small", message=message)
    absorb(store, judgment(said, kept, turn="turn-2", message=message), at=AT)
    store.undo(keeping.id)
    assert [one.body for one in store.all()] == ["keep it small"]
    store.undo_last()
    assert store.all() == ()


def test_a_step_that_fails_leaves_nothing_of_it(store):
    entry = store.keep(statement()).entry

    def half() -> None:
        with store.step():
            store.edit(entry.id, "changed")
            store.keep(statement("more", turn="turn-2"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert store.all() == (entry,)
    assert len(store.operations()) == 1
    store.edit(entry.id, "changed")
    store.undo_last()
    assert store.all() == (entry,)


VERBS = st.sampled_from(["keep", "edit", "refuse", "retire", "restore", "sight", "undo"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(done=st.lists(st.tuples(VERBS, st.integers(0, 3)), max_size=12))
def test_undoing_everything_leaves_nothing_and_redoing_it_brings_it_back(opener, tmp_path_factory, done):
    store = opener(tmp_path_factory.mktemp("any"))
    for verb, which in done:
        _act(store, verb, which)
    before = store.all()
    undone = store.undo_last(1_000)
    assert store.all() == ()
    for one in reversed(undone):
        store.undo(one.id)
    assert store.all() == before
    store.close()


def _act(store: Store, verb: str, which: int) -> None:
    entries = store.all()
    if verb == "keep":
        try:
            store.keep(statement(f"rule {which}", turn=f"turn-{which}"))
        except RefusedBefore:
            return  # the rule under test is about what was done
    elif verb == "undo":
        store.undo_last()
    elif entries:
        name = entries[which % len(entries)].id
        match verb:
            case "edit":
                store.edit(name, f"words {which}")
            case "sight":
                store.sight(name, turn=TurnId(f"again-{which}"))
            case _:
                getattr(store, verb)(name)


# --- why --------------------------------------------------------------------------------


def test_a_refused_draft_is_recorded_with_every_measure(store):
    message = "x" * 900 + " never use axios " + "y" * 900
    draft = finding(message=message, kept=False, reason=Reason.BELOW_FLOOR)
    absorb(store, judgment(draft, message=message), at=AT)
    (judged,) = store.findings()
    assert (judged.kept, judged.entry, judged.verdicts) == (False, None, draft.verdicts)
    assert (judged.score, judged.writer, judged.judged_at) == (0.91, "encoder-1", AT)
    assert (judged.session, judged.turn, judged.said_at) == (
        "session-1",
        "turn-1",
        "2026-11-28T09:00:00.000Z",
    )
    assert "never use axios" in judged.excerpt
    assert len(judged.excerpt) <= 400
    assert store.all() == ()


def test_a_judgment_taken_in_twice_changes_nothing_the_second_time(store):
    message = "never use axios. and keep it small"
    both = (finding(message=message), finding("keep it small", message=message, kept=False))
    first = absorb(store, judgment(*both, message=message), at=AT)
    before = (store.all(), store.operations(), store.findings())
    again = absorb(store, judgment(*both, message=message), at="2026-11-29T11:00:00.000Z")
    assert [one.body for one in first.kept] == ["never use axios"]
    assert not again.changed
    assert (store.all(), store.operations(), store.findings()) == before


def test_a_crash_half_way_through_a_judgment_leaves_nothing_and_is_made_good(store, monkeypatch):
    message = "never use axios. and keep it small"
    both = (finding(message=message), finding("keep it small", message=message))
    noted = store.note_finding

    def failing(judgment, finding, **rest):
        if finding is both[1]:
            raise OSError("no space")
        return noted(judgment, finding, **rest)

    monkeypatch.setattr(store, "note_finding", failing)
    with pytest.raises(OSError, match="no space"):
        absorb(store, judgment(*both, message=message), at=AT)
    assert (store.all(), store.operations(), store.findings()) == ((), (), ())
    monkeypatch.undo()
    again = absorb(store, judgment(*both, message=message), at=AT)
    assert [one.body for one in again.kept] == ["never use axios", "keep it small"]
    assert len(store.findings()) == 2


def test_findings_are_asked_for_by_entry_by_turn_and_by_outcome(store):
    absorb(store, judgment(finding()), at=AT)
    absorb(store, judgment(finding("no", kept=False), turn="turn-2", message="no"), at=AT)
    (entry,) = store.all()
    assert [one.body for one in store.findings(entry=entry.id[:5])] == ["never use axios"]
    assert [one.body for one in store.findings(turn=TurnId("turn-2"))] == ["no"]
    assert [one.body for one in store.findings(kept=False)] == ["no"]
    assert [one.body for one in store.findings(limit=1)] == ["no"]


def test_a_draft_refused_between_judging_and_keeping_is_recorded_and_not_kept(store):
    entry = store.keep(statement()).entry
    store.refuse(entry.id)
    done = absorb(store, judgment(finding(), turn="turn-2"), at=AT)
    assert not done.changed
    assert store.findings()[0].entry == entry.id


def test_a_sighting_of_an_entry_that_is_gone_is_kept_as_said_anew(store):
    entry = store.keep(statement()).entry
    store.retire(entry.id)
    said = finding(relation=Sighting(entry=entry.id, likeness=0.98))
    done = absorb(store, judgment(said, turn="turn-2", said_at=LATE), at=AT)
    assert [one.body for one in done.kept] == ["never use axios"]


# --- what was said when -------------------------------------------------------------------


def test_an_older_saying_takes_no_newer_one_out(store):
    newer = store.keep(statement(said_at=LATE)).entry
    said = finding("use axios", relation=Supersedes(entry=newer.id, likeness=0.9))
    done = absorb(store, judgment(said, turn="turn-2", message="use axios"), at=AT)
    assert (done.superseded, store.live()) == ((), (newer,))
    assert [(one.body, one.standing) for one in done.kept] == [("use axios", Standing.PROPOSED)]
    verdict = store.findings()[0].verdicts[-1]
    assert (verdict.passed, verdict.reason, verdict.detail) == (True, Reason.SAID_BEFORE, newer.id)


@pytest.mark.parametrize("verb", ["confirm", "edit", "restore"])
def test_what_a_person_affirmed_since_is_not_taken_out_by_an_older_saying(store, verb):
    entry = store.keep(statement(standing=Standing.PROPOSED)).entry
    match verb:
        case "confirm":
            store.confirm(entry.id)
        case "edit":
            store.edit(entry.id, "never ever use axios")
        case _:
            store.retire(entry.id)
            store.restore(entry.id)
    said = finding("use axios", relation=Supersedes(entry=entry.id, likeness=0.9))
    absorb(store, judgment(said, turn="turn-2", said_at="2026-11-28T09:30:00.000Z"), at=AT)
    assert store.get(entry.id).standing is not Standing.SUPERSEDED
    again = finding("use axios now", relation=Supersedes(entry=entry.id, likeness=0.9))
    absorb(store, judgment(again, turn="turn-3", said_at=LATE), at=AT)
    assert store.get(entry.id).standing is Standing.SUPERSEDED


def test_an_older_sighting_counts_and_moves_no_moment_back(store):
    entry = store.keep(statement(said_at=LATE)).entry
    said = finding(relation=Sighting(entry=entry.id, likeness=0.98))
    absorb(store, judgment(said, turn="turn-2"), at=AT)
    assert store.get(entry.id) == replace(entry, sightings=2)


def test_what_claims_to_be_said_after_it_was_judged_was_said_when_it_was_judged(store):
    absorb(store, judgment(finding(), said_at="2099-01-01T00:00:00.000Z"), at=AT)
    (entry,) = store.all()
    assert (entry.said_at, entry.last_seen_at) == (AT, AT)


def _end_by(store: Store, verb: str, name: str) -> None:
    match verb:
        case "edit":
            store.edit(name, "other words")
        case "undo":
            store.undo_last()
        case _:
            store.retire(name)


@pytest.mark.parametrize("verb", ["retire", "edit", "undo"])
def test_words_said_before_they_ended_do_not_come_back_from_another_turn(store, verb):
    entry = store.keep(statement()).entry
    _end_by(store, verb, entry.id)
    before = store.live()
    done = absorb(store, judgment(finding(), turn="turn-2"), at=AT)
    assert (done.changed, store.live()) == (False, before)
    judged = store.findings()[0]
    assert (judged.kept, judged.entry) == (False, entry.id)
    assert (judged.verdicts[-1].passed, judged.verdicts[-1].reason) == (False, Reason.SAID_BEFORE)


@pytest.mark.parametrize("verb", ["retire", "edit", "undo"])
def test_words_said_after_they_ended_are_a_new_entry(store, verb):
    entry = store.keep(statement()).entry
    _end_by(store, verb, entry.id)
    done = absorb(store, judgment(finding(), turn="turn-2", said_at=LATE), at=AT)
    assert [one.body for one in done.kept] == ["never use axios"]
    assert done.kept[0] in store.live()
    assert done.kept[0].id != entry.id


def test_a_superseded_rule_ended_when_its_successor_was_said_not_when_that_was_judged(store):
    old = store.keep(statement(said_at="2026-11-28T07:00:00.000Z")).entry
    said = finding("use axios", relation=Supersedes(entry=old.id, likeness=0.9))
    absorb(store, judgment(said, turn="turn-2", said_at="2026-11-28T08:00:00.000Z"), at=AT)
    assert store.ended(old.body, "2026-11-28T07:59:00.000Z") == old.id
    assert store.ended(old.body, "2026-11-28T08:00:00.000Z") is None
    assert store.gone() == ((store.get(old.id), "2026-11-28T08:00:00.000Z"),)


def test_words_that_stand_again_have_not_ended(store):
    entry = store.keep(statement()).entry
    store.retire(entry.id)
    assert store.ended("Never use axios!", entry.said_at) == entry.id
    store.undo_last()
    assert store.ended(entry.body, entry.said_at) is None
    store.retire(entry.id)
    store.keep(statement(turn=None), actor=Actor.PERSON)
    assert store.ended(entry.body, entry.said_at) is None


def test_refused_words_are_refused_and_not_ended(store):
    entry = store.keep(statement()).entry
    store.refuse(entry.id)
    assert store.ended(entry.body, entry.said_at) is None
    assert store.gone() == ()
    absorb(store, judgment(finding(), turn="turn-2"), at=AT)
    assert store.findings()[0].verdicts[-1].reason is Reason.REFUSED_BEFORE
    assert not store.findings()[0].kept


def test_a_draft_under_the_live_threshold_takes_nothing_out(store):
    old = store.keep(statement()).entry
    said = finding("use axios", standing=Standing.PROPOSED, relation=Supersedes(entry=old.id, likeness=0.8))
    absorb(store, judgment(said, turn="turn-2"), at=AT)
    assert store.live() == (old,)


def test_why_tells_each_session_that_got_an_entry_or_did_not(store):
    got = store.keep(statement()).entry
    left = store.keep(statement("less", turn="turn-2")).entry
    choice = Choice(occasion=Occasion.START, chosen=(got,), left=((left, Left.COUNT),))
    store.note_prepared("v1", [choice], {Occasion.START: "the text", Occasion.REPLACE: "another"})
    store.edit(got.id, "changed")
    store.note_delivery(SessionId("s"), Occasion.START, "v1", AT)
    store.note_delivery(SessionId("s"), Occasion.START, "v1", AT)
    (one,) = store.deliveries(got.id)
    assert (one.session, one.version, one.left, one.body) == ("s", "v1", None, "never use axios")
    (other,) = store.deliveries(left.id)
    assert (other.left, other.body) == (Left.COUNT, "")
    assert store.delivered_to(SessionId("s")) == ("the text",)
    assert store.delivered_to(SessionId("t")) == ()


def test_without_a_noted_text_a_session_was_given_the_words_of_its_entries(store):
    got = store.keep(statement()).entry
    left = store.keep(statement("less", turn="turn-2")).entry
    store.note_prepared("v1", [Choice(occasion=Occasion.START, chosen=(got,), left=((left, Left.COUNT),))])
    store.note_delivery(SessionId("s"), Occasion.START, "v1", AT)
    assert store.delivered_to(SessionId("s")) == ("never use axios",)


def test_a_session_before_an_entry_was_kept_is_not_said_to_have_missed_it(store):
    got = store.keep(statement()).entry
    store.note_prepared("v1", [Choice(occasion=Occasion.START, chosen=(got,), left=())], {})
    store.note_delivery(SessionId("early"), Occasion.START, "v1", "2026-11-28T10:00:00.500Z")
    late = store.keep(statement("less", turn="turn-2")).entry
    store.note_prepared(
        "v1", [Choice(occasion=Occasion.START, chosen=(got,), left=((late, Left.COUNT),))], {}
    )
    assert store.deliveries(late.id) == ()
    store.note_delivery(SessionId("after"), Occasion.START, "v1", AT)
    assert [one.session for one in store.deliveries(late.id)] == ["after"]


def test_versions_that_nobody_got_are_forgotten_and_given_ones_are_not(store):
    got = store.keep(statement()).entry
    choice = Choice(occasion=Occasion.START, chosen=(got,), left=())
    store.note_prepared("given", [choice], {})
    store.note_delivery(SessionId("s"), Occasion.START, "given", AT)
    store.note_prepared("never", [choice], {})
    for number in range(25):
        store.note_prepared(f"v{number}", [choice], {})
    store.note_delivery(SessionId("t"), Occasion.START, "never", AT)
    store.note_delivery(SessionId("u"), Occasion.START, "v24", AT)
    assert {one.version for one in store.deliveries(got.id)} == {"given", "v24"}


def test_the_versions_given_are_the_last_of_each_session_sub_agents_aside(store):
    for session, occasion, version, second in [
        ("s", Occasion.START, "v1", 1),
        ("s", Occasion.REPLACE, "v2", 3),
        ("s", Occasion.SUBAGENT, "v9", 4),
        ("t", Occasion.START, "v1", 2),
        ("t", Occasion.COMPACT, "v2", 5),
    ]:
        store.note_delivery(SessionId(session), occasion, version, f"2026-11-28T11:00:0{second}.000Z")
    assert store.versions_given() == ("v2",)


def test_a_session_given_nothing_for_longer_than_it_can_be_resumed_does_not_count(store):
    for session, version, at in [
        ("gone", "v1", "2026-10-29T09:59:59.000Z"),
        ("old", "v2", "2026-10-29T10:01:00.000Z"),
        ("resumed", "v1", "2026-09-01T10:00:00.000Z"),
        ("resumed", "v3", "2026-11-28T09:00:00.000Z"),
    ]:
        store.note_delivery(SessionId(session), Occasion.START, version, at)
    assert store.versions_given() == ("v2", "v3")
    assert store.versions_given(since="2026-11-01T00:00:00.000Z") == ("v3",)
    assert store.versions_given(since="") == ("v1", "v2", "v3")


def test_a_person_is_told_once_of_what_a_writer_kept(store):
    kept = store.keep(statement()).entry
    store.keep(statement("by hand", turn=None), actor=Actor.PERSON)
    proposed = store.keep(statement("maybe", turn="turn-2", standing=Standing.PROPOSED)).entry
    assert store.unannounced() == (kept,)
    store.mark_announced([kept.id])
    store.mark_announced([kept.id])
    assert store.unannounced() == ()
    said_again = store.sight(proposed.id, turn=TurnId("turn-3"))
    assert store.unannounced() == (said_again,)


def test_what_a_person_confirmed_needs_no_announcement(store):
    entry = store.keep(statement(standing=Standing.PROPOSED)).entry
    store.confirm(entry.id)
    assert store.unannounced() == ()


def test_history_of_an_unknown_entry_is_no_such_entry(store):
    with pytest.raises(NoSuchEntry):
        store.history(EntryId("abcdefghi"))


# --- what is taken back ------------------------------------------------------------


def taking_back(name, *, said_at="2026-11-28T10:00:00.000Z"):
    withdrawn = Withdrawn(entry=name, words="forget what I said about axios", likeness=0.9)
    return replace(judgment(turn="turn-9", said_at=said_at), withdrawn=(withdrawn,))


def test_what_is_taken_back_is_retired_with_the_words_that_did_it(store):
    entry = store.keep(statement()).entry
    absorbed = absorb(store, taking_back(entry.id), at=AT)
    assert [one.id for one in absorbed.retired] == [entry.id]
    assert absorbed.changed
    gone = store.get(entry.id)
    assert (gone.standing, "forget what I said about axios" in gone.note) == (Standing.RETIRED, True)
    assert (store.history(entry.id)[-1].act, store.history(entry.id)[-1].actor) == (Act.RETIRE, Actor.WRITER)


def test_taking_back_again_changes_nothing_also_after_a_person_brought_it_back(store):
    entry = store.keep(statement()).entry
    taken = taking_back(entry.id)
    absorb(store, taken, at=AT)
    before = store.history(entry.id)
    assert not absorb(store, taken, at=AT).changed
    assert store.history(entry.id) == before
    store.restore(entry.id)
    assert not absorb(store, taken, at=AT).changed
    assert store.get(entry.id).standing is Standing.LIVE


def test_one_undo_brings_back_what_was_taken_back(store):
    entry = store.keep(statement()).entry
    absorb(store, taking_back(entry.id), at=AT)
    store.undo_last()
    assert store.get(entry.id) == entry


def test_what_was_said_since_is_not_taken_back_by_an_older_turn(store):
    entry = store.keep(replace(statement(), said_at=LATE)).entry
    assert not absorb(store, taking_back(entry.id, said_at="2026-11-28T08:00:00.000Z"), at=AT).changed
    assert store.get(entry.id).standing is Standing.LIVE


def test_what_is_gone_by_then_is_not_taken_back(store):
    entry = store.keep(statement()).entry
    store.refuse(entry.id)
    assert not absorb(store, taking_back(entry.id), at=AT).changed
    assert not absorb(store, taking_back("zzzzzzzzz"), at=AT).changed
    assert store.get(entry.id).standing is Standing.REFUSED
