"""What a source file declares, and what stays the same when it is laid out anew, moved or renamed."""

# ruff: noqa: E501 -- sources stand in one piece

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.code.declarations import MOST_CHARACTERS, declarations, language_of
from asides.code.languages import LANGUAGES

SOURCES = {
    "a.json": (
        '{"scripts": {"build-it": "tsc"}, "a.b": 1, "list": [{"x": 1}]}',
        "scripts scripts.build-it list list.x",
    ),
    "a.yml": ("db:\n  max: 5\n  'host': x\n", "db db.max db.host"),
    "a.py": (
        "import os\nLIMIT = 5\nclass Cart(Base):\n    @cached\n    def total(self):\n        rate = 2\n        return rate\n"
        "async def main():\n    def inner(): pass\n",
        "LIMIT Cart Cart.total main main.inner",
    ),
    "a.js": (
        "export class Cart { total() { const rate = 2; return rate } }\nexport const pay = async (x) => x\n"
        "function* pages() {}\nconst LIMIT = 5, MORE = 6\n",
        "Cart Cart.total pay pages LIMIT MORE",
    ),
    "a.ts": (
        "export abstract class Cart { static limit = 1; total(): number { return 1 } }\ninterface Item { a: string }\n"
        "type Id = string\nenum State { Open }\nnamespace shop { export function pay() {} }\n",
        "Cart Cart.limit Cart.total Item Id State shop shop.pay",
    ),
    "a.tsx": ("export const Button = () => <div className='a'>x</div>\n", "Button"),
    "a.go": (
        "package main\ntype Cart struct { A int }\nfunc (c *Cart) Total() int { var rate = 2; return rate }\nfunc pay() {}\n"
        "const Limit = 1\nvar (\n  A = 1\n  B = 2\n)\ntype Item interface { M() }\n",
        "Cart Cart.Total pay Limit A B Item",
    ),
    "a.rs": (
        "struct Cart { a: i32 }\nimpl Cart { fn total(&self) {} }\nimpl fmt::Display for Cart { fn fmt(&self) {} }\n"
        "impl<T> Bag<T> { fn add(&self) {} }\n"
        "enum State { Open }\ntrait Pay { fn pay(&self); }\nmod shop { pub fn open() {} }\nconst LIMIT: i32 = 1;\n"
        "macro_rules! say { () => {} }\n",
        "Cart Cart.total Cart.fmt Bag.add State Pay Pay.pay shop shop.open LIMIT say",
    ),
    "a.java": (
        "class Cart { int limit = 1; Cart() {} int total(int x) { int rate = 2; return rate; } interface Item { void m(); }"
        " enum State { OPEN } record Id(int a) {} }",
        "Cart Cart.limit Cart.Cart Cart.total Cart.Item Cart.Item.m Cart.State Cart.Id",
    ),
    "a.kt": (
        "class Cart { val limit = 1\n fun total(): Int { val rate = 2; return rate } }\nfun pay() {}\ninterface Item { fun m() }\n",
        "Cart Cart.limit Cart.total pay Item Item.m",
    ),
    "a.cs": (
        "namespace Shop { class Cart { int limit; public int Total() { var rate = 2; return rate; } int P { get; set; } }"
        " interface IItem { void M(); } struct S {} enum State { Open } record Id(int A); }",
        "Shop.Cart Shop.Cart.limit Shop.Cart.Total Shop.Cart.P Shop.IItem Shop.IItem.M Shop.S Shop.State Shop.Id",
    ),
    "a.c": (
        "#define LIMIT 1\n#define MAX(a, b) a\nstruct cart { int a; };\nstruct other;\ntypedef struct { int b; } item;\n"
        "enum state { OPEN };\nint total(struct cart *c) { return 0; }\nstatic char *name(void) { return 0; }\n",
        "LIMIT MAX cart item state total name",
    ),
    "a.cpp": (
        "namespace shop { class Cart { public: int total() { return 1; } }; void Cart::pay() {} template<class T> T pick(T a)"
        " { return a; } }\nvoid shop::Cart::close() {}\n",
        "shop.Cart shop.Cart.total shop.Cart.pay shop.pick shop.Cart.close",
    ),
    "a.rb": (
        "module Shop\n  class Cart\n    LIMIT = 1\n    def total\n      rate = 2\n    end\n    def self.open; end\n  end\nend\n",
        "Shop Shop.Cart Shop.Cart.LIMIT Shop.Cart.total Shop.Cart.open",
    ),
    "a.php": (
        "<?php\nnamespace Shop;\nclass Cart { const LIMIT = 1; public function total() {} }\nfunction pay() {}\n"
        "interface Item { function m(); }\ntrait Paid { function t() {} }\n",
        "Cart Cart.LIMIT Cart.total pay Item Item.m Paid Paid.t",
    ),
    "a.swift": (
        "class Cart { var limit = 1\n func total() {} }\nstruct Item { func m() {} }\nfunc pay() {}\nenum State { case open }\n"
        "protocol Payable { func q() }\nextension Cart { func close() {} }\n",
        "Cart Cart.limit Cart.total Item Item.m pay State Payable Payable.q Cart.close",
    ),
    "a.scala": (
        "class Cart { val limit = 1\n def total(x: Int) = x }\nobject Shop { def open = 1 }\ntrait Item { def m: Int }\n",
        "Cart Cart.limit Cart.total Shop Shop.open Item Item.m",
    ),
    "a.lua": ("function cart.total() end\nlocal function pay() end\n", "cart.total pay"),
    "a.sh": ("total() { echo; }\nfunction pay { echo; }\n", "total pay"),
}


def names(path: str, source: str) -> list[str]:
    language = language_of(path)
    assert language is not None
    return [one.name for one in declarations(source, language)]


def fingerprint(path: str, source: str) -> str:
    language = language_of(path)
    assert language is not None
    return declarations(source, language)[0].fingerprint


@pytest.mark.parametrize("path", SOURCES)
def test_each_language_names_what_it_declares_and_no_local_variable(path: str) -> None:
    source, expected = SOURCES[path]
    assert sorted(names(path, source)) == sorted(set(expected.split()))


def test_every_grammar_of_the_table_is_in_the_wheel_and_has_a_source_here() -> None:
    assert {language.name for language in LANGUAGES.values()} == {
        found.name for path in SOURCES if (found := language_of(path)) is not None
    }


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        (
            "a.py",
            "def f(x):\n    # why\n    return g('a', [\n        x,\n    ])",
            'def f(x): return g("a", [x])',
        ),
        ("a.ts", "function f(x) { return g('a', x); }", 'function f(x)\n{\n  // why\n  return g("a", x,)\n}'),
        ("a.go", "func f() int { return 1 }", "// why\nfunc f() int {\n\treturn 1 /* why */\n}"),
        ("a.rs", "fn f() -> i32 { 1 }", "fn f() -> i32 {\n    // why\n    1\n}"),
    ],
)
def test_layout_comments_and_a_new_name_leave_the_fingerprint(path: str, one: str, other: str) -> None:
    assert fingerprint(path, one) == fingerprint(path, other)
    assert fingerprint(path, one) == fingerprint(path, other.replace("f(", "renamed("))


def test_a_new_name_leaves_the_fingerprint_of_what_calls_itself() -> None:
    source = "def f(x):\n    return f(x - 1) if x else g(x)\n"
    assert fingerprint("a.py", source) == fingerprint("a.py", source.replace("f(", "down("))


def test_names_with_signs_of_their_language_are_names() -> None:
    assert names("a.rb", "def open?\nend\ndef save!\nend\n") == ["open?", "save!"]
    assert names("a.js", "const $el = 1\nfunction el$() {}\n") == ["$el", "el$"]
    assert names("a.cpp", "class A { public: ~A() {} };") == ["A", "A.~A"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x): return x + 1", "def f(x): return x + 2"),
        ("def f(x): return x", "def f(y): return x"),
        ("def f(x): return 'a'", "def f(x): return 'b'"),
        ("class C:\n    def a(self): pass", "class C:\n    def b(self): pass"),
    ],
)
def test_another_word_inside_is_another_fingerprint(one: str, other: str) -> None:
    assert fingerprint("a.py", one) != fingerprint("a.py", other)


def test_overloads_are_one_declaration_that_changes_with_each_of_them() -> None:
    source = "class A { void f(int x) { g(1); } void f(long x) { g(2); } }"
    assert names("a.java", source) == ["A", "A.f"]
    language = language_of("a.java")
    assert language is not None
    before, after = (declarations(text, language)[1] for text in (source, source.replace("g(2)", "g(3)")))
    assert before.fingerprint != after.fingerprint


def test_what_stands_where_is_given_in_characters_of_the_text() -> None:
    source = "x = 'ü'\n\ndef größe():\n    return '€'\n"
    language = language_of("a.py")
    assert language is not None
    found = declarations(source, language)[1]
    assert source[found.start : found.end] == "def größe():\n    return '€'"


def test_deep_nesting_and_what_cannot_be_parsed_raise_nothing() -> None:
    assert names("a.py", "x = " + "(" * 5000 + ")" * 5000) == ["x"]
    assert "g" in names("a.py", "def f(:\n  ]]\n\ndef g(): pass\n")


def test_a_text_that_is_too_long_is_not_read() -> None:
    assert names("a.py", "def f(): pass\n" + "#" * MOST_CHARACTERS) == []


def test_other_files_have_no_language() -> None:
    assert language_of("notes.md") is None
    assert language_of("Makefile") is None


@given(
    path=st.sampled_from(sorted(SOURCES)), source=st.text(alphabet=st.characters(codec="utf-8"), max_size=200)
)
def test_no_text_breaks_it(path: str, source: str) -> None:
    language = language_of(path)
    assert language is not None
    for one in declarations(source, language):
        assert 0 <= one.start <= one.end <= len(source)
