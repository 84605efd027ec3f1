"""Rules that hold for every settings text, tried on generated ones."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.agents.claude_code.install import Did, plan_install, plan_uninstall
from asides.agents.claude_code.merge import Wanted, take_out
from asides.agents.claude_code.record import Record, digest
from asides.agents.claude_code.registration import EVENTS, is_ours, our_handlers
from asides.agents.jsonedit import document
from asides.agents.jsontext import parse, value_of
from asides.model.errors import NotPlainJson, Refused

# No deadline: the machine that runs this may be busy.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

words = st.text(max_size=6) | st.sampled_from(["model", "env", "é", "a b", "\u2028", "😀", '"', "\\"])
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | words
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
foreign_handlers = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(["lint", "sh -c 'exit 0'", "/bin/true"])},
    optional={"timeout": st.integers(1, 60), "args": st.lists(words, max_size=4)},
)
foreign_groups = st.fixed_dictionaries(
    {"hooks": st.lists(foreign_handlers, max_size=2)},
    optional={"matcher": st.sampled_from(["", "Bash", "*"])},
)
hook_tables = st.dictionaries(
    st.sampled_from([*EVENTS, "Notification"]), st.lists(foreign_groups, max_size=2), max_size=3
)
rules = st.lists(st.sampled_from(["Edit(**/CLAUDE.md)", "Read(.env)", "Bash(rm *)"]), max_size=3)
permissions = st.fixed_dictionaries({}, optional={"deny": rules, "ask": rules, "allow": rules})


@st.composite
def settings_values(draw):
    """A settings object: some keys that matter to us, some that do not, in any order."""
    known = st.fixed_dictionaries(
        {},
        optional={
            "hooks": hook_tables,
            "permissions": permissions,
            "autoMemoryEnabled": st.booleans() | st.none(),
        },
    )
    mixed = {**draw(known), **draw(st.dictionaries(words.filter(lambda w: w != "hooks"), values, max_size=3))}
    keys = draw(st.permutations(list(mixed)))
    return {key: mixed[key] for key in keys}


@st.composite
def noisy(draw, value):
    """The value as JSON with any blanks that JSON allows between its parts."""
    blanks = st.sampled_from(["", "", " ", "\n", "\r\n", "\n  ", "\t", " \r "])

    def render(v):
        if isinstance(v, dict):
            parts = [f"{json.dumps(k)}{draw(blanks)}:{draw(blanks)}{render(x)}" for k, x in v.items()]
        elif isinstance(v, list):
            parts = [render(x) for x in v]
        else:
            return json.dumps(v, ensure_ascii=draw(st.booleans()))
        opener, closer = "{}" if isinstance(v, dict) else "[]"
        inner = ",".join(f"{draw(blanks)}{part}{draw(blanks)}" for part in parts) or draw(blanks)
        return opener + inner + closer

    return draw(blanks) + render(value) + draw(blanks)


@st.composite
def laid_out(draw, value):
    """The value as a person's editor or a program would save it."""
    indent = draw(st.sampled_from([2, 4, "\t", 1, 0, None]))
    separators = draw(st.sampled_from([(",", ":"), (", ", ": ")])) if indent is None else None
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=draw(st.booleans()))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    mark = draw(st.sampled_from(["", "", "\ufeff"]))
    return mark + text.replace("\n", newline) + draw(st.sampled_from(["", newline, newline * 2]))


settings_texts = settings_values().flatmap(lambda value: laid_out(value) | noisy(value))
any_file = settings_texts | st.sampled_from([None, "", "\n", "{}", "{}\n", "{ }", "{\n}\n", "\ufeff{}"])


def commands(place="/home/dev/.local/state/asides"):
    return {e: ["/bin/sh", "-c", "guard", f"{place}/hook/hook.sh", "claude-code", e] for e in EVENTS}


wanted_things = st.builds(
    Wanted,
    commands=st.sampled_from([commands(), commands("/srv/mis à jour/x"), {}]),
    deny=st.sampled_from([(), ("Edit(**/CLAUDE.md)", "Edit(~/.claude/projects/*/memory/**)")]),
    ask=st.sampled_from([(), ("Edit(**/CLAUDE.md)",)]),
    auto_memory_off=st.booleans(),
)


def record_of(plan):
    return Record(
        path=plan.path,
        scope="user",
        at="",
        before=plan.original,
        after=plan.after,
        before_sha256=digest(plan.original),
        after_sha256=digest(plan.after),
        added=plan.added,
    )


def json_of(text):
    """The value of a settings file as the client takes it: no file and a blank one are empty."""
    return document((text or "").strip("\n") or "{}", path="f").value()


@unhurried
@given(settings_values().flatmap(lambda v: st.tuples(st.just(v), laid_out(v) | noisy(v))))
def test_every_plain_json_text_is_read_as_the_standard_library_reads_it(pair):
    value, text = pair
    assert value_of(parse(text, path="f")) == value == json.loads(text.removeprefix("\ufeff"))


@unhurried
@given(st.text(alphabet='{}[]",:\\ \n01eE+-.truefalsn/*', max_size=30))
def test_a_text_is_plain_json_exactly_when_the_standard_library_takes_it(text):
    def no_double_keys(pairs):
        if len({k for k, _ in pairs}) < len(pairs):
            raise ValueError
        return dict(pairs)

    def no_constant(name):
        raise ValueError(name)

    try:
        expected = json.loads(text, object_pairs_hook=no_double_keys, parse_constant=no_constant)
    except ValueError:
        with pytest.raises(NotPlainJson):
            parse(text, path="f")
    else:
        assert value_of(parse(text, path="f")) == expected


@unhurried
@given(settings_texts, words, values)
def test_a_member_put_in_and_taken_out_leaves_every_byte(text, key, value):
    doc = document(text, path="f")
    if doc.at((key,)) is None:
        hollow = doc.interior(())
        more = doc.with_member((), key, value)
        assert list(more.value()) == [*doc.value(), key]
        assert more.value()[key] == value
        assert more.without((key,), hollow=hollow).text == text


@unhurried
@given(st.lists(values, max_size=4).flatmap(lambda v: laid_out({"l": v}) | noisy({"l": v})), values)
def test_an_element_put_in_and_taken_out_leaves_every_byte(text, value):
    doc = document(text, path="f")
    more = doc.with_element(("l",), value)
    assert more.value() == {"l": [*doc.value()["l"], value]}
    last = len(doc.value()["l"])
    assert more.without(("l", last), hollow=doc.interior(("l",))).text == text


@unhurried
@given(st.lists(values, min_size=1, max_size=4).flatmap(lambda v: noisy(v)), st.data())
def test_taking_any_element_out_leaves_the_others_as_they_are_written(text, data):
    doc = document(text, path="f")
    index = data.draw(st.integers(0, len(doc.value()) - 1))
    less = doc.without((index,))
    kept = [doc.raw((i,)) for i in range(len(doc.value())) if i != index]
    assert [less.raw((i,)) for i in range(len(kept))] == kept


@unhurried
@given(any_file, wanted_things)
def test_install_then_uninstall_is_the_identity(text, wanted):
    """Also B-260: auto memory is as it was."""
    plan = plan_install(text, wanted, path="f")
    if plan.did is not Did.UNCHANGED:
        assert plan_uninstall(plan.after, path="f", record=record_of(plan)).after == text


@unhurried
@given(any_file, wanted_things)
def test_our_pieces_alone_suffice_to_restore_every_byte(text, wanted):
    """What uninstall does with an edited file would restore an unedited one too."""
    plan = plan_install(text, wanted, path="f")
    if plan.did is not Did.UNCHANGED and (text or "").removeprefix("\ufeff").strip():
        assert take_out(document(plan.after, path="f"), plan.added).text == text


@unhurried
@given(any_file, wanted_things)
def test_a_second_install_changes_nothing(text, wanted):
    plan = plan_install(text, wanted, path="f")
    record = record_of(plan) if plan.added else None
    again = plan_install(plan.after, wanted, path="f", record=record)
    if plan.after is not None:
        assert again.did is Did.UNCHANGED
        assert again.after == plan.after


@unhurried
@given(settings_texts, wanted_things)
def test_everything_of_others_stands_where_it_stood(text, wanted):
    """B-253: unknown keys, foreign hooks and their order."""
    plan = plan_install(text, wanted, path="f")
    before, after = document(text, path="f").value(), document(plan.after, path="f").value()
    assert list(after)[: len(before)] == list(before)
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups
    for name, rules in before.get("permissions", {}).items():
        assert after["permissions"][name][: len(rules)] == rules
    for key in before.keys() - {"hooks", "permissions", "autoMemoryEnabled"}:
        assert after[key] == before[key]


@unhurried
@given(settings_texts, wanted_things)
def test_installing_only_inserts(text, wanted):
    """The old text is a subsequence of the new one, but for the blanks in an empty list or object."""
    plan = plan_install(text, Wanted(commands=wanted.commands, deny=wanted.deny, ask=wanted.ask), path="f")
    rest = iter(plan.after)
    assert all(character in rest for character in text if character not in " \t\r\n")


@unhurried
@given(any_file, wanted_things, wanted_things)
def test_installing_something_else_over_it_equals_installing_it_alone(text, first, second):
    plan = plan_install(text, first, path="f")
    record = record_of(plan) if plan.added else None
    over = plan_install(plan.after, second, path="f", record=record)
    alone = plan_install(text, second, path="f")
    assert json_of(over.after) == json_of(alone.after)


@unhurried
@given(settings_texts, wanted_things, words, values)
def test_what_a_person_added_since_survives_uninstall_and_nothing_of_ours_does(text, wanted, key, value):
    plan = plan_install(text, wanted, path="f")
    edited = document(plan.after, path="f")
    if plan.did is Did.UNCHANGED or edited.at((key,)) is not None:
        return
    edited = edited.with_member((), key, value)
    left = plan_uninstall(edited.text, path="f", record=record_of(plan)).after
    assert document(left, path="f").value() == {**document(text, path="f").value(), key: value}


@unhurried
@given(settings_texts, wanted_things, st.sampled_from([2, 4, None]))
def test_a_client_that_saved_the_file_anew_does_not_keep_us_in(text, wanted, indent):
    plan = plan_install(text, wanted, path="f")
    if plan.did is Did.UNCHANGED:
        return
    saved = json.dumps(document(plan.after, path="f").value(), indent=indent)
    left = plan_uninstall(saved, path="f", record=record_of(plan)).after
    assert document(left, path="f").value() == document(text, path="f").value()


@unhurried
@given(settings_texts)
def test_without_a_record_our_hooks_still_go_and_only_they(text):
    plan = plan_install(text, Wanted(commands=commands()), path="f")
    left = plan_uninstall(plan.after, path="f").after
    assert not any(our_handlers(document(left, path="f").value()))
    before, after = document(text, path="f").value(), document(left, path="f").value()
    before["hooks"] = {e: g for e, g in before.get("hooks", {}).items() if g}
    after["hooks"] = {e: g for e, g in after.get("hooks", {}).items() if g}
    assert after == before


@unhurried
@given(foreign_handlers)
def test_no_foreign_handler_is_taken_for_ours(handler):
    assert not is_ours(handler)


@unhurried
@given(st.sampled_from(["hooks", "permissions"]), values)
def test_a_place_of_another_type_is_refused_with_its_name(key, value):
    wanted = Wanted(commands=commands(), deny=("Edit(**/CLAUDE.md)",))
    if not isinstance(value, dict):
        with pytest.raises(Refused, match=key):
            plan_install(json.dumps({key: value}), wanted, path="f")
