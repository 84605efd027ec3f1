"""What became of a subject is told rightly, or not at all: nothing that is left is called gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.code.changes import Changes
from asides.code.drift import edited, follow, identify
from asides.model.anchor import Declaration, Drift, File, Followed, Subject

TOTAL = """    def total(self, rate):
        amount = 0
        for line in self.lines:
            amount += line.price * line.count
        return round(amount * (1 + rate), 2)
"""
CART = f"class Cart:\n    def __init__(self):\n        self.lines = []\n\n{TOTAL}"
PAY = """def pay(cart, card):
    if card.expired:
        raise Refused(card)
    return card.charge(cart.total(0.2))
"""
BODY_OF_PAY = PAY.split("\n", 1)[1]
INDENTED = BODY_OF_PAY.replace("    ", "        ")
SHIP = """def ship(order, where):
    box = wrap(order.items)
    box.label = str(where)
    return post(box, where.zone)
"""


class Texts:
    """A tree of texts; what is in `unreadable` is there and cannot be read."""

    def __init__(self, files: Mapping[str, str], unreadable: frozenset[str] = frozenset()) -> None:
        self.files = files
        self.unreadable = unreadable
        self.reads: list[str] = []

    def paths(self) -> frozenset[str]:
        return frozenset(self.files) | self.unreadable

    def read(self, path: str) -> str | None:
        self.reads.append(path)
        return self.files.get(path)


def between(
    old: Mapping[str, str], new: Mapping[str, str], renamed: Mapping[str, str] = MappingProxyType({})
) -> Changes:
    """Returns what git would say of two trees."""
    came = frozenset(new) - frozenset(old)
    return Changes(
        changed=came | {path for path in new if path in old and new[path] != old[path]},
        removed=frozenset(old) - frozenset(new) - frozenset(renamed),
        renamed=renamed,
        added=came,
        before=old.get,
    )


def followed(
    anchor: File | Declaration,
    old: Mapping[str, str],
    new: Mapping[str, str],
    *,
    renamed: Mapping[str, str] = MappingProxyType({}),
    git: bool = True,
    elsewhere: Callable[[Subject], str | bool | None] = lambda _: False,
) -> Followed:
    subject = identify(anchor, Texts(old), commit="c0ffee0")
    assert subject is not None
    changes = between(old, new, renamed) if git else None
    (found,) = follow([subject], Texts(new), changes=lambda _: changes, elsewhere=elsewhere)
    return found


def place(found: Followed) -> File | Declaration | None:
    return found.subject.anchor if found.subject is not None else None


def of(path: str, name: str) -> Declaration:
    return Declaration(path=path, name=name)


TOTAL_AT = of("shop.py", "Cart.total")


def test_what_is_only_laid_out_anew_is_the_same() -> None:
    laid_out = CART.replace(
        "round(amount * (1 + rate), 2)",
        "round(\n            amount * (1 + rate),  # tax\n            2,\n        )",
    )
    found = followed(TOTAL_AT, {"shop.py": CART}, {"shop.py": f"import os\n\n{laid_out}"})
    assert (found.drift, found.edited, place(found)) == (Drift.SAME, 0.0, TOTAL_AT)


def test_changes_are_not_asked_for_what_is_where_it_was() -> None:
    subject = identify(TOTAL_AT, Texts({"shop.py": CART}), commit="c0ffee0")
    assert subject is not None

    def refuse(_: object) -> None:
        raise AssertionError

    new = {"shop.py": CART.replace("round(amount", "floor(amount")}
    (found,) = follow([subject], Texts(new), changes=refuse, elsewhere=refuse)
    assert found.drift is Drift.EDITED


def test_an_edit_tells_how_much_of_it_is_other() -> None:
    little = followed(TOTAL_AT, {"shop.py": CART}, {"shop.py": CART.replace("line.price", "line.cost")})
    much = followed(
        TOTAL_AT,
        {"shop.py": CART},
        {"shop.py": CART.replace(TOTAL, "    def total(self):\n        return sum(self.lines)\n")},
    )
    assert little.drift is much.drift is Drift.EDITED
    assert 0 < little.edited < 0.3 < 0.6 < much.edited <= 1


def test_a_file_is_read_once_for_all_its_subjects() -> None:
    tree = Texts({"shop.py": CART + PAY})
    subjects = [
        identify(of("shop.py", name), tree, commit="c0ffee0") for name in ("Cart", "Cart.total", "pay")
    ]
    again = Texts(tree.files)
    follow([one for one in subjects if one], again, changes=lambda _: None, elsewhere=lambda _: False)
    assert again.reads == ["shop.py"]


@pytest.mark.parametrize("git", [True, False], ids=["git", "no-git"])
def test_a_declaration_in_another_file_is_moved(git: bool) -> None:
    found = followed(
        of("shop.py", "pay"), {"shop.py": CART + PAY}, {"shop.py": CART, "till.py": PAY}, git=git
    )
    assert (found.drift, place(found), found.edited) == (Drift.MOVED, of("till.py", "pay"), 0.0)


def test_a_declaration_of_a_renamed_file_is_moved_however_much_it_changed() -> None:
    new = {"till.py": CART.replace(TOTAL, "    def total(self): ...\n")}
    found = followed(TOTAL_AT, {"shop.py": CART}, new, renamed={"shop.py": "till.py"})
    assert (found.drift, place(found)) == (Drift.MOVED, of("till.py", "Cart.total"))


@pytest.mark.parametrize("git", [True, False], ids=["git", "no-git"])
def test_another_name_is_followed_by_the_fingerprint(git: bool) -> None:
    new = {"shop.py": CART.replace("def total", "def sum_up")}
    found = followed(TOTAL_AT, {"shop.py": CART}, new, git=git)
    assert (found.drift, place(found), found.edited) == (Drift.MOVED, of("shop.py", "Cart.sum_up"), 0.0)


def test_another_name_and_an_edit_are_followed_by_likeness() -> None:
    new = {"shop.py": CART.replace("def total", "def sum_up").replace("line.price", "line.cost")}
    found = followed(TOTAL_AT, {"shop.py": CART}, new)
    assert (found.drift, place(found)) == (Drift.MOVED, of("shop.py", "Cart.sum_up"))
    assert 0 < found.edited < 0.5


def test_a_method_goes_with_its_class() -> None:
    old = CART + "    def tax(self):\n        return 1\n"
    found = followed(
        of("shop.py", "Cart.tax"),
        {"shop.py": old},
        {"shop.py": old.replace("Cart", "Basket").replace("return 1", "return 2")},
    )
    assert (found.drift, place(found)) == (Drift.MOVED, of("shop.py", "Basket.tax"))


def test_a_method_goes_with_its_class_to_another_file() -> None:
    old = {"shop.py": CART + PAY}
    found = followed(
        of("shop.py", "Cart.__init__"), old, {"shop.py": PAY, "basket.py": CART.replace("Cart", "Basket")}
    )
    assert (found.drift, place(found)) == (Drift.MOVED, of("basket.py", "Basket.__init__"))


def test_overloads_are_followed_together() -> None:
    old = "class A { void send(int x) { put(x, 1); flush(); } void send(long x) { put(x, 2); flush(); } }"
    found = followed(
        of("A.java", "A.send"), {"A.java": old}, {"A.java": old.replace("void send", "void write")}
    )
    assert (found.drift, place(found)) == (Drift.MOVED, of("A.java", "A.write"))


def test_a_name_that_something_else_bears_now_is_not_the_subject() -> None:
    old = {"shop.py": PAY + SHIP}
    new = {
        "shop.py": PAY.replace("def pay", "def settle")
        + "def pay(order):\n    log(order.number)\n    for one in order.parts: print(one)\n"
        + SHIP
    }
    found = followed(of("shop.py", "pay"), old, new)
    assert (found.drift, place(found)) == (Drift.MOVED, of("shop.py", "settle"))


def test_a_name_kept_for_its_callers_is_still_the_subject() -> None:
    new = {
        "shop.py": PAY.replace("def pay", "def settle")
        + "def pay(cart, card):\n    return settle(cart, card)\n"
    }
    found = followed(of("shop.py", "pay"), {"shop.py": PAY}, new)
    assert (found.drift, place(found)) == (Drift.EDITED, of("shop.py", "pay"))


def test_a_declaration_that_was_there_before_is_no_new_name() -> None:
    old = {"shop.py": PAY + PAY.replace("def pay", "def settle")}
    found = followed(of("shop.py", "pay"), old, {"shop.py": PAY.replace("def pay", "def settle")})
    assert found.drift is Drift.GONE


def test_small_declarations_need_all_of_their_words_under_another_name() -> None:
    old = "class Cart:\n    def size(self):\n        return self.lines.count\n"
    log = "    def log(self):\n        print(self)\n"
    other = f"class Cart:\n{log}    def weight(self):\n        return self.lines.sum\n"
    found = followed(of("shop.py", "Cart.size"), {"shop.py": old}, {"shop.py": other})
    assert found.drift is Drift.UNKNOWN
    found = followed(of("shop.py", "Cart.size"), {"shop.py": old}, {"shop.py": other.replace("sum", "count")})
    assert place(found) == of("shop.py", "Cart.weight")


def test_what_stands_between_the_same_neighbours_is_followed_further() -> None:
    old = {"shop.py": f"{CART}\ndef size(cart):\n    return cart.lines.count\n\n{PAY}"}
    new = {"shop.py": f"{CART}\ndef weight(cart):\n    return cart.lines.sum\n\n{PAY}"}
    found = followed(of("shop.py", "size"), old, new)
    assert (found.drift, place(found)) == (Drift.MOVED, of("shop.py", "weight"))
    elsewhere = {"shop.py": f"{CART}\n{PAY}\ndef weight(cart):\n    return cart.lines.sum\n"}
    assert followed(of("shop.py", "size"), old, elsewhere).drift is Drift.UNKNOWN


def test_what_another_became_is_not_taken() -> None:
    other = (
        PAY.replace("def pay", "def refund")
        .replace("raise Refused(card)", "raise Refused(card, cart, 'no')")
        .replace("card.charge", "card.give_back")
    )
    old = {"shop.py": PAY + other}
    found = followed(of("shop.py", "pay"), old, {"shop.py": other.replace("refund", "give_back_all")})
    assert place(found) != of("shop.py", "give_back_all")


def test_little_that_something_stands_in_place_of_is_not_gone() -> None:
    old = {"shop.py": f"{CART}\ndef size(cart):\n    return cart.lines.count\n\n{PAY}"}
    new = {"shop.py": f"{CART}\ndef weight():\n    pass\n\n{PAY}"}
    assert followed(of("shop.py", "size"), old, new).drift is Drift.UNKNOWN
    assert followed(of("shop.py", "size"), old, {"shop.py": CART + PAY}).drift is Drift.GONE


def test_another_thing_in_the_place_of_a_longer_one_leaves_no_doubt() -> None:
    found = followed(of("shop.py", "Cart"), {"shop.py": CART}, {"shop.py": "def other():\n    return 1\n"})
    assert found.drift is Drift.GONE


def test_prose_that_names_what_is_gone_leaves_no_doubt() -> None:
    new = {"shop.py": CART, "CHANGES": "pay is gone\n", "docs/shop.rst": "There was pay.\n"}
    assert followed(of("shop.py", "pay"), {"shop.py": CART + PAY}, new).drift is Drift.GONE


def test_a_name_written_by_another_custom_is_the_same_name() -> None:
    old = "def is_empty_cart(cart):\n    return not cart.lines\n"
    new = {"Cart.py": CART + "def isEmptyCart(cart):\n    return cart.lines is None\n"}
    found = followed(of("shop.py", "is_empty_cart"), {"shop.py": PAY + old}, {"shop.py": PAY, **new})
    assert place(found) == of("Cart.py", "isEmptyCart")


def test_a_name_much_like_the_old_one_is_followed_further() -> None:
    old = "def test_refuses_expired_cards(till):\n    card = expired()\n    assert not till.pay(card)\n"
    kin = "def refuses_expired_cards(till):\n    card = expired()\n    assert not till.pay(card, 1)\n"
    new = {"b.py": f"A = 1\n{kin}B = 2\n"}
    found = followed(of("a.py", "test_refuses_expired_cards"), {"a.py": f"X = 1\n{old}Y = 2\n"}, new)
    other = {"b.py": new["b.py"].replace("refuses_expired_cards", "sells")}
    assert place(found) == of("b.py", "refuses_expired_cards")
    found = followed(of("a.py", "test_refuses_expired_cards"), {"a.py": f"X = 1\n{old}Y = 2\n"}, other)
    assert found.drift is Drift.UNKNOWN


def test_the_only_namesake_is_followed_however_much_it_changed() -> None:
    new = {"till.py": f"class Till:\n{TOTAL.replace('amount', 'sum').replace('line', 'row')}", "shop.py": PAY}
    found = followed(TOTAL_AT, {"shop.py": CART + PAY}, new)
    assert (found.drift, place(found)) in [
        (Drift.MOVED, of("till.py", "Till.total")),
        (Drift.UNKNOWN, None),  # `total` has no six letters
    ]
    longer = {path: text.replace("total", "total_of_all") for path, text in new.items()}
    found = followed(
        of("shop.py", "Cart.total_of_all"), {"shop.py": (CART + PAY).replace("total", "total_of_all")}, longer
    )
    assert place(found) == of("till.py", "Till.total_of_all")


def test_two_that_change_names_are_told_apart_though_they_are_alike() -> None:
    refund = PAY.replace("def pay", "def refund").replace("card.charge", "card.give_back")
    refund = refund.replace("raise Refused(card)", "raise Refused(cart, card)")
    old = {"shop.py": PAY + refund}
    new = {"shop.py": PAY.replace("def pay", "def settle") + refund.replace("def refund", "def pay")}
    assert place(followed(of("shop.py", "pay"), old, new)) == of("shop.py", "settle")
    assert place(followed(of("shop.py", "refund"), old, new)) != of("shop.py", "refund")


def test_a_twin_that_vanished_nearer_by_is_what_a_candidate_was() -> None:
    old = {"esm/pay.py": PAY, "cjs/pay.py": PAY}
    found = followed(of("esm/pay.py", "pay"), old, {"cjs/settle.py": PAY.replace("def pay", "def settle")})
    assert found.drift is Drift.UNKNOWN
    found = followed(of("cjs/pay.py", "pay"), old, {"cjs/settle.py": PAY.replace("def pay", "def settle")})
    assert place(found) == of("cjs/settle.py", "settle")


def test_what_can_be_two_things_is_unknown() -> None:
    new = {"shop.py": PAY.replace("def pay", "def one") + PAY.replace("def pay", "def two")}
    found = followed(of("shop.py", "pay"), {"shop.py": PAY}, new)
    assert found.drift is Drift.UNKNOWN
    assert "one" in found.why
    assert "two" in found.why


def test_what_is_deleted_is_gone() -> None:
    found = followed(of("shop.py", "pay"), {"shop.py": CART + PAY + SHIP}, {"shop.py": CART + SHIP})
    assert (found.drift, found.subject) == (Drift.GONE, None)


def test_what_goes_with_its_file_is_gone() -> None:
    old = {"shop.py": CART, "till.py": PAY}
    assert followed(of("till.py", "pay"), old, {"shop.py": CART}).drift is Drift.GONE
    assert followed(File(path="till.py"), old, {"shop.py": CART}).drift is Drift.GONE


@pytest.mark.parametrize("holder", ["the branch next", True])
def test_what_another_branch_holds_is_not_gone(holder: str | bool) -> None:
    found = followed(
        of("shop.py", "pay"), {"shop.py": CART + PAY}, {"shop.py": CART}, elsewhere=lambda _: holder
    )
    assert found.drift is Drift.UNKNOWN
    assert "branch" in found.why


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ({"shop.py": CART + "def pay(:\n ]]\n"}, "parsed"),
        ({"shop.py": CART + "pay = wrapped(None)\n"}, "pay is new"),
        ({"shop.py": CART + "register('x', pay)\n"}, "written"),
        ({"shop.py": CART, "build.sbt": "val pay = 1\n"}, "build.sbt names it"),
        ({"shop.py": CART + "class Till:\n    def pay(self): pass\n"}, "Till.pay is new"),
        ({"shop.py": f"{CART}def run(cart, card):\n    log(1)\n{BODY_OF_PAY}    done(2)\n"}, "run"),
        ({"shop.py": CART.replace("self.lines = []\n", f"self.lines = []\n{INDENTED}")}, "parts"),
    ],
    ids=["broken", "assigned", "mentioned", "unread", "namesake", "resembling", "inlined"],
)  # fmt: skip
def test_what_anything_speaks_for_is_not_gone(new: Mapping[str, str], why: str) -> None:
    found = followed(of("shop.py", "pay"), {"shop.py": CART + PAY}, new)
    assert found.drift in (Drift.UNKNOWN, Drift.MOVED, Drift.EDITED)
    if found.drift is Drift.UNKNOWN:
        assert why in found.why


def test_what_cannot_be_read_is_unknown() -> None:
    subject = identify(of("shop.py", "pay"), Texts({"shop.py": PAY}), commit="c0ffee0")
    assert subject is not None
    for tree in (Texts({}, frozenset({"shop.py"})), Texts({"shop.py": "#" * 1_000_001})):
        (found,) = follow([subject], tree, changes=lambda _: None, elsewhere=lambda _: False)
        assert found.drift is Drift.UNKNOWN


def test_a_file_is_followed_by_git_and_by_its_parts() -> None:
    old = {"shop.py": CART + PAY + SHIP, "a.md": "one two three four five\nsix seven eight nine\n"}
    at = File(path="shop.py")
    assert followed(at, old, {**old, "shop.py": "# why\n" + old["shop.py"]}).drift is Drift.SAME
    assert followed(at, old, {**old, "shop.py": CART + PAY}).drift is Drift.EDITED
    by_git = followed(at, old, {"a.md": "", "x.py": PAY}, renamed={"shop.py": "x.py"})
    assert (by_git.drift, place(by_git)) == (Drift.MOVED, File(path="x.py"))
    by_parts = followed(at, old, {"a.md": "", "x.py": CART + PAY})
    assert (by_parts.drift, place(by_parts)) == (Drift.MOVED, File(path="x.py"))
    text = followed(
        File(path="a.md"), old, {**old, "a.md": "one two three\n\nfour five\nsix seven eight nine"}
    )
    assert text.drift is Drift.EDITED


def test_a_file_cut_into_several_goes_with_the_largest() -> None:
    old = {"shop.py": CART + PAY + SHIP}
    found = followed(File(path="shop.py"), old, {"cart.py": CART, "pay.py": PAY, "ship.py": SHIP})
    assert place(found) == File(path="cart.py")


def test_a_folder_is_its_paths() -> None:
    old = {"src/a/x.py": PAY, "src/a/y.py": SHIP, "src/b.py": CART}
    at = File(path="src/a")
    assert followed(at, old, {**old, "src/a/x.py": SHIP}).drift is Drift.SAME
    grown = followed(at, old, {**old, "src/a/z.py": ""})
    assert (grown.drift, round(grown.edited, 2)) == (Drift.EDITED, 0.33)
    new = {"lib/a/x.py": PAY, "lib/a/y.py": SHIP, "src/b.py": CART}
    moved = followed(at, old, new, renamed={"src/a/x.py": "lib/a/x.py", "src/a/y.py": "lib/a/y.py"})
    assert (moved.drift, place(moved)) == (Drift.MOVED, File(path="lib/a"))
    assert followed(at, old, {"src/b.py": CART}).drift is Drift.GONE
    parted = followed(
        at, old, {"src/b.py": CART, "p/x.py": PAY, "q/r/y.py": "1"}, renamed={"src/a/x.py": "p/x.py"}
    )
    assert parted.drift is Drift.MOVED


def test_nothing_is_identified_that_is_not_there() -> None:
    tree = Texts({"shop.py": CART, "notes.md": "pay"}, frozenset({"logo.png"}))
    assert identify(of("shop.py", "Cart.pay"), tree, commit="") is None
    assert identify(of("none.py", "Cart"), tree, commit="") is None
    assert identify(of("notes.md", "pay"), tree, commit="") is None
    assert identify(File(path="none"), tree, commit="") is None
    logo = identify(File(path="logo.png"), tree, commit="")
    assert logo is not None
    assert logo.sketch == ()


def test_what_is_found_stands_at_the_commit_of_the_tree() -> None:
    subject = identify(TOTAL_AT, Texts({"shop.py": CART}), commit="c0ffee0")
    assert subject is not None
    (found,) = follow(
        [subject],
        Texts({"shop.py": CART}),
        changes=lambda _: None,
        elsewhere=lambda _: False,
        commit="beef123",
    )
    assert found.subject is not None
    assert found.subject.commit == "beef123"
    assert edited(subject, found.subject) == 0.0


NAME = st.from_regex(r"[a-z]{3,9}", fullmatch=True).filter(
    lambda name: name not in ("def", "for", "and", "not", "pass", "with", "from")
)
BODY = st.lists(st.tuples(NAME, NAME, st.integers(0, 99)), min_size=4, max_size=12)


def function(name: str, body: list[tuple[str, str, int]], indent: str = "    ") -> str:
    lines = [f"{indent}v_{one} = f_{two}(v_{two}, {number})\n" for one, two, number in body]
    return f"def {name}(value):\n{''.join(lines)}{indent}return value\n"


@given(body=BODY, name=NAME, blank=st.integers(0, 3))
def test_layout_never_matters(body: list[tuple[str, str, int]], name: str, blank: int) -> None:
    new = "\n" * blank + "# why\n" + function(name, body, "        ").replace("(", "( ").replace(",", " ,  ")
    assert followed(of("a.py", name), {"a.py": function(name, body)}, {"a.py": new}).drift is Drift.SAME


@given(body=BODY, other=BODY, name=NAME, path=st.sampled_from(["a.py", "b.py"]))
def test_a_new_name_in_any_file_is_where_it_is(
    body: list[tuple[str, str, int]], other: list[tuple[str, str, int]], name: str, path: str
) -> None:
    old = {"a.py": function(f"old_{name}", body) + function("other", other)}
    new = {"a.py": function("other", other)}
    new[path] = new.get(path, "") + function(f"new_{name}", body)
    found = followed(of("a.py", f"old_{name}"), old, new)
    assert (found.drift, place(found)) == (Drift.MOVED, of(path, f"new_{name}"))


@given(body=BODY, name=NAME, seed=st.integers(0, 2**16), share=st.floats(0, 0.6))
def test_what_is_still_partly_there_is_never_gone(
    body: list[tuple[str, str, int]], name: str, seed: int, share: float
) -> None:
    kept_lines = [
        line if (seed >> at) % 10 >= share * 10 else ("new", "word", at) for at, line in enumerate(body)
    ]
    new = {"b.py": function(f"new_{name}", kept_lines)}
    found = followed(of("a.py", f"old_{name}"), {"a.py": function(f"old_{name}", body)}, new)
    kept_share = sum(one in body for one in kept_lines) / len(body)
    assert found.drift is not Drift.GONE or kept_share < 0.5


def test_a_file_that_cannot_be_read_is_followed_by_its_path_alone() -> None:
    logo = File(path="logo.png")
    subject = identify(logo, Texts({}, frozenset({"logo.png"})), commit="c0ffee0")
    assert subject is not None
    (there,) = follow(
        [subject], Texts({}, frozenset({"logo.png"})), changes=lambda _: None, elsewhere=lambda _: False
    )
    assert there.drift is Drift.UNKNOWN
    renamed = Changes(changed=frozenset({"img/logo.png"}), renamed={"logo.png": "img/logo.png"})
    (moved,) = follow(
        [subject],
        Texts({}, frozenset({"img/logo.png"})),
        changes=lambda _: renamed,
        elsewhere=lambda _: False,
    )
    assert (moved.drift, place(moved)) == (Drift.MOVED, File(path="img/logo.png"))
    removed = Changes(removed=frozenset({"logo.png"}))
    (gone,) = follow([subject], Texts({}), changes=lambda _: removed, elsewhere=lambda _: False)
    assert gone.drift is Drift.UNKNOWN


def test_a_path_that_another_file_has_now_is_not_the_subject() -> None:
    old = {"shop.py": CART + PAY + SHIP}
    new = {"shop.py": "A = 1\nB = 2\nC = [A, B]\nprint(A, B, C)\n", "till.py": CART + PAY + SHIP}
    found = followed(File(path="shop.py"), old, new)
    assert (found.drift, place(found)) == (Drift.MOVED, File(path="till.py"))


def test_without_git_a_file_is_gone_only_where_nothing_resembles_it() -> None:
    old = {"shop.py": CART + PAY, "till.py": SHIP}
    at = File(path="shop.py")
    assert followed(at, old, {"till.py": SHIP}, git=False).drift is Drift.GONE
    assert followed(at, old, {"till.py": SHIP, "lib/shop.py": SHIP}, git=False).drift is Drift.UNKNOWN
    found = followed(at, old, {"till.py": SHIP, "lib/shop.py": CART + PAY}, git=False)
    assert place(found) == File(path="lib/shop.py")


@given(
    text=st.text(max_size=200), other=st.text(max_size=200), path=st.sampled_from(["a.py", "a.md", "a.ts"])
)
def test_no_text_breaks_it(text: str, other: str, path: str) -> None:
    tree = Texts({path: text})
    subjects = [identify(File(path=path), tree, commit="c0ffee0")]
    found = follow(
        [one for one in subjects if one is not None],
        Texts({path: other}),
        changes=lambda _: between({path: text}, {path: other}),
        elsewhere=lambda _: False,
    )
    assert [one.drift for one in found] in ([Drift.SAME], [Drift.EDITED])
