"""Which added lines break a check."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import asides.hook
from asides.hook.cues.lines import broken


def check(form: str, text: str, **more: Any) -> dict[str, Any]:
    return {"signs": [{"form": form, "text": text}], **more}


def fires(form: str, text: str, path: str, *lines: str) -> list[int]:
    return [n for n, _ in broken(check(form, text), path, list(lines))]


@pytest.mark.parametrize(
    ("wanted", "path", "line"),
    [
        ("axios", "a.ts", "import axios from 'axios';"),
        ("axios", "a.tsx", 'import { get } from "axios/lib"'),
        ("axios", "a.js", "const axios = require('axios')"),
        ("axios", "a.mjs", "const { get } = await import('axios')"),
        ("axios", "a.vue", "} from 'axios'"),
        ("axios", "a.ts", "import 'axios'"),
        ("axios", "a.ts", "export * from 'axios'"),
        ("axios", "a.ts", "import axios from 'axios' // quick"),
        ("fs", "a.ts", "import fs from 'node:fs'"),
        ("src/legacy", "src/api/a.ts", "import x from '../legacy/x'"),
        ("requests", "a.py", "import json, requests as r"),
        ("requests", "a.py", "from requests.auth import X"),
        ("os.path", "a.py", "from os import path"),
        ("requests", "a.py", "m = importlib.import_module('requests')"),
        ("python-dateutil", "a.py", "import python_dateutil"),
        ("logrus", "a.go", '\tlog "github.com/sirupsen/logrus"'),
        ("log", "a.go", 'import "log"'),
        ("lazy-static", "a.rs", "pub use lazy_static::lazy_static;"),
        ("std::env", "a.rs", "use std::{env, fs};"),
        ("serde", "a.rs", "extern crate serde;"),
        ("lombok", "A.java", "import lombok.Data;"),
        ("java.util.Date", "A.kt", "import java.util.Date"),
        ("Newtonsoft.Json", "A.cs", "using static Newtonsoft.Json.Linq.JToken;"),
        ("httparty", "a.rb", "require 'httparty'"),
        ("httparty", "Gemfile", 'gem "httparty", "~> 1"'),
        ("GuzzleHttp", "a.php", "use GuzzleHttp\\Client;"),
        ("boost", "a.cpp", "#include <boost/asio.hpp>"),
        ("iostream", "a.cc", "#  include <iostream>"),
        ("Alamofire", "a.swift", "import Alamofire"),
        ("http", "a.dart", "import 'package:http/http.dart';"),
        ("socket", "a.lua", 'local s = require("socket")'),
        ("Poison", "a.ex", "alias Poison.Parser, as: P"),
    ],
)
def test_what_brings_a_package_in_is_its_import(wanted: str, path: str, line: str) -> None:
    assert fires("import", wanted, path, line) == [0]


@pytest.mark.parametrize(
    ("wanted", "path", "line"),
    [
        ("axios", "a.ts", "// import axios from 'axios';"),
        ("axios", "a.ts", " * import axios from 'axios';"),
        ("axios", "a.ts", "/* require('axios') */"),
        ("axios", "a.ts", "const s = \"import axios from 'axios'\""),
        ("axios", "a.ts", "import mock from 'axios-mock-adapter'"),
        ("axios", "a.ts", "import axios from './axios'"),
        ("axios", "a.ts", "const axios = createClient()"),
        ("axios", "a.md", "import axios from 'axios'"),
        ("axios", "package.json", '"axios": "^1.0.0"'),
        ("axios", "node_modules/x/a.js", "require('axios')"),
        ("src/legacy", "src/a.ts", "import x from './lib/x'"),
        ("requests", "a.py", "# import requests"),
        ("requests", "a.py", "import requests_mock"),
        ("requests", "a.py", "from .requests import x"),
        ("requests", "a.py", "text = 'import requests'"),
        ("requests", "a.py", ">>> import requests"),
        ("os.path", "a.py", "import os"),
        ("log", "a.go", '\t"github.com/x/log"'),
        ("logrus", "a.go", '\tname := "github.com/sirupsen/logrus"'),
        ("logrus", "a.go", '\t"github.com/sirupsen/logrus",'),
        ("env", "a.rs", "use std::env;"),
        ("lombok", "A.java", "import com.shop.lomboks.Data;"),
        ("java.util.Date", "A.java", "import java.util.Dates;"),
        ("boost", "a.cpp", "#include <boosted.hpp>"),
        ("boost", "a.cpp", 'log("#include <boost/a.hpp>");'),
    ],
)
def test_what_only_names_a_package_is_no_import(wanted: str, path: str, line: str) -> None:
    assert fires("import", wanted, path, line) == []


@pytest.mark.parametrize(
    ("form", "text", "path", "line"),
    [
        ("call", "print", "a.py", "    print(x)"),
        ("call", "print", "a.py", "x = 1; print(x)"),
        ("call", "console.log", "a.ts", "foo(() => console.log('x'))"),
        ("call", "datetime.utcnow", "a.py", "datetime.datetime.utcnow()"),
        ("call", ".unwrap", "a.rs", "x.unwrap();"),
        ("call", "println!", "a.rs", 'println!("x");'),
        ("call", "puts", "a.rb", "puts 'x'"),
        ("call", "alert", "a.ts", "window.alert('x')"),
        ("raise", "RuntimeError", "a.py", "raise RuntimeError('x') from e"),
        ("raise", "Error", "a.ts", "throw new Error(`x`)"),
        ("raise", "Error", "a.ts", "return Promise.reject(new Error('x'))"),
        ("raise", "RuntimeException", "A.php", "throw new \\RuntimeException('x');"),
        ("raise", "runtime_error", "a.cpp", 'throw std::runtime_error("x");'),
        ("raise", "ArgumentError", "a.rb", "raise ArgumentError, 'x'"),
        ("raise", "panic", "a.go", "\tpanic(err)"),
        ("raise", "panic", "a.rs", 'panic!("x")'),
        ("word", "process.env", "a.ts", "const x = `${process.env.HOME}/a`"),
        ("word", "os.environ", "a.py", "x = f\"{os.environ['A']}\""),
        ("word", "process.env", "a.ts", "const all = { ...process.env }"),
        ("word", ": any", "a.tsx", "const x: any = 1"),
        ("text", "!important", "a.css", "top: 0 !important;"),
        ("text", "export default", "a.tsx", "export default function A() {"),
        ("text", "@ts-ignore", "a.ts", "  // @ts-ignore: later"),
        ("text", "type: ignore", "a.py", "x = y  # type: ignore"),
        ("text", "TODO", "a.py", "# TODO: x"),
    ],
)
def test_what_stands_in_code_breaks(form: str, text: str, path: str, line: str) -> None:
    found = broken(check(form, text), path, [line])
    assert [n for n, _ in found] == [0]
    assert found[0][1].strip("(") in line or found[0][1].startswith(("throw", "raise", "panic"))


@pytest.mark.parametrize(
    ("form", "text", "path", "line"),
    [
        ("call", "print", "a.py", "# print(x)"),
        ("call", "print", "a.py", "pprint(x)"),
        ("call", "print", "a.py", "self.print(x)"),
        ("call", "print", "a.py", "def print(x):"),
        ("call", "print", "a.py", "s = 'print(x)'"),
        ("call", "print", "a.py", "print = log"),
        ("call", "alert", "a.ts", "  alert() {"),
        ("call", "console.log", "a.ts", "foo() // console.log(x)"),
        ("call", ".unwrap", "a.rs", "x.unwrap_or(1)"),
        ("call", "puts", "a.rb", "inputs = 1"),
        ("raise", "RuntimeError", "a.py", "except RuntimeError:"),
        ("raise", "RuntimeError", "a.py", "with pytest.raises(RuntimeError):"),
        ("raise", "Error", "a.ts", "throw new HttpError(1)"),
        ("raise", "Error", "a.ts", "class A extends Error {"),
        ("raise", "panic", "a.go", "// panic(err)"),
        ("raise", "panic", "a.rs", "std::panic::catch_unwind(f)"),
        ("word", "process.env", "a.ts", "const x = 'process.env'"),
        ("word", "process.env", "a.ts", "const x = process.environment"),
        ("word", ": any", "a.tsx", "<p>Note: any user</p>"),
        ("word", "var", "a.css", "color: var(--main)"),
        ("text", "@ts-ignore", "a.ts", "const s = '@ts-ignore'"),
        ("text", "TODO", "a.ts", "const TODO = 1"),
        ("text", "TODO", "a.ts", "// TODOS"),
        ("text", "export default", "a.ts", "// export default"),
    ],
)
def test_what_only_looks_like_it_does_not(form: str, text: str, path: str, line: str) -> None:
    globs = {"globs": ["**/*.ts"]} if text == "var" else {}
    assert broken(check(form, text, **globs), path, [line]) == []


def test_the_inside_of_comments_and_long_strings_is_not_code() -> None:
    assert fires("call", "print", "a.py", '"""Says it.', "    print(x)", '"""', "print(y)") == [3]
    assert fires("call", "print", "a.py", "    print(x)", '    it says."""', "print(y)") == [2]
    assert fires("call", "print", "a.py", 'q = """', "print(x)", '"""', "print(y)") == [3]
    assert fires("call", "alert", "a.ts", "/*", "alert(1)", "*/", "alert(2)") == [3]
    assert fires("call", "alert", "a.ts", "alert(1)", "ends here */", "alert(2)") == [2]
    assert fires("call", "alert", "a.ts", "a(); /* alert(1) */ alert(2);") == [0]


def test_a_check_holds_where_its_globs_fit_and_nowhere_outside() -> None:
    only = check("word", "process.env", globs=["**/*.ts"], outside=["config/**"])
    line = ["const x = process.env.A"]
    assert broken(only, "src/a.ts", line)
    assert not broken(only, "src/a.js", line)
    assert not broken(only, "config/env.ts", line)


def test_a_file_that_is_no_source_is_looked_at_only_where_it_is_named() -> None:
    line = ["image: redis:latest"]
    assert not broken(check("text", ":latest"), "compose.yml", line)
    assert broken(check("text", ":latest", globs=["compose.yml"]), "compose.yml", line)


def test_one_line_is_told_once_whatever_breaks_it() -> None:
    two = {"signs": [{"form": "import", "text": "os.path"}, {"form": "word", "text": "os.path"}]}
    assert broken(two, "a.py", ["x = 1", "import os.path"]) == [(1, "import os.path")]


FORMS = st.sampled_from(["import", "call", "raise", "word", "text"])
ENDINGS = "py ts tsx vue go rs java cs rb php cpp swift dart lua ex sh sql css html md x"
PATHS = st.sampled_from([f"src/a.{ending}" for ending in ENDINGS.split()])
CODE = st.text(alphabet="axios print(){}[]'\"`\\/*#-<>!:;.,$_=\n\t\x00é𝔸", max_size=80) | st.text(max_size=80)


@given(form=FORMS, text=CODE, path=PATHS | st.text(max_size=30), lines=st.lists(CODE, max_size=6))
def test_any_text_is_looked_at_without_a_failure(form: str, text: str, path: str, lines: list[str]) -> None:
    for globs in ((), ("**",)):
        found = broken(check(form, text, globs=globs), path, lines)
        assert all(0 <= n < len(lines) and what for n, what in found)
        assert len({n for n, _ in found}) == len(found)


@given(lines=st.lists(CODE.map(lambda text: text.replace("\n", " ")), max_size=6))
def test_a_comment_holds_no_code(lines: list[str]) -> None:
    for mark, path in (("# ", "a.py"), ("// ", "a.go"), ("-- ", "a.sql")):
        commented = [mark + line for line in lines]
        for form in ("import", "call", "raise", "word"):
            assert fires(form, "axios", path, *commented, mark + "axios(axios)") == []


def test_it_starts_without_re_and_json_and_from_the_hooks_own_folder() -> None:
    folder = str(Path(asides.hook.__file__).parent)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from cues.lines import broken;"
        "print(broken({'signs': [{'form': 'call', 'text': 'f'}]}, 'a.py', ['f(x)']));"
        "print(sorted({'re', 'json', 'typing', 'asides'} & set(sys.modules)))"
    )
    told = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, folder], capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines() == ["[(0, 'f(')]", "[]"]
