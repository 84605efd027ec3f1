"""Secrets do not pass the gateway; ordinary words pass unchanged."""

from __future__ import annotations

import random
import re
import string
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asides.judge import assigned, entropy, spoken
from asides.judge import redact as gateway
from asides.judge.redact import Redacted, admit, clean, redact
from asides.judge.secrets import SHAPES

BASE62 = string.ascii_letters + string.digits
LOWER36 = string.ascii_lowercase + string.digits


def text_of(alphabet: str, size: int, most: int | None = None) -> st.SearchStrategy[str]:
    return st.text(alphabet=alphabet, min_size=size, max_size=most or size)


def mixed(size: int) -> st.SearchStrategy[str]:
    """Random text that surely holds a small letter, a capital and a digit."""
    return text_of(BASE62, size).map(lambda s: "a7Q" + s[3:])


# Prefixes are joined at run time, so that no scanner takes this file for a leak.
TOKENS: dict[str, st.SearchStrategy[str]] = {
    "aws": text_of(string.ascii_uppercase + string.digits, 16).map(lambda s: "AK" + "IA" + s),
    "gcp": text_of(BASE62 + "_-", 35).map(lambda s: "AI" + "za" + s),
    "github": text_of(BASE62, 36).map(lambda s: "gh" + "p_" + s),
    "github-fine": text_of(BASE62 + "_", 60).map(lambda s: "github" + "_pat_" + s),
    "gitlab": text_of(BASE62 + "-_", 20).map(lambda s: "gl" + "pat-" + s),
    "npm": text_of(BASE62, 36).map(lambda s: "np" + "m_" + s),
    "pypi": text_of(BASE62 + "_-", 90).map(lambda s: "py" + "pi-" + s),
    "slack": text_of(BASE62 + "-", 40).map(lambda s: "xo" + "xb-" + s),
    "stripe": text_of(BASE62, 24).map(lambda s: "sk" + "_live_" + s),
    "anthropic": text_of(BASE62 + "_-", 80).map(lambda s: "sk" + "-ant-api03-" + s),
    "openai": mixed(48).map(lambda s: "sk" + "-proj-" + s),
    "huggingface": text_of(BASE62, 34).map(lambda s: "h" + "f_" + s),
    "jwt": st.tuples(text_of(BASE62, 20), text_of(BASE62, 30), text_of(BASE62, 43)).map(
        lambda parts: "ey" + "J" + ".".join(parts)
    ),
}
AROUND = ("{}", "use {} for now", "key: {}.", '"{}"', "({})", "first\n{}\nlast", "a={};b", "see `{}`, ok?")


@pytest.mark.parametrize("kind", TOKENS)
@settings(max_examples=40)
@given(data=st.data())
def test_no_generated_token_survives(kind: str, data: st.DataObject) -> None:
    token = data.draw(TOKENS[kind])
    around = data.draw(st.sampled_from(AROUND))
    said = redact(around.format(token))
    assert token not in said.text
    assert token[-8:] not in said.text
    assert sum(said.counts.values()) >= 1


@settings(max_examples=60)
@given(
    name=st.sampled_from(
        [
            "PASSWORD",
            "DB_PASSWORD",
            "api_key",
            "apiKey",
            "client_secret",
            "GITHUB_TOKEN",
            "private-key",
            "passwd",
        ]
    ),
    form=st.sampled_from(["{}={}", "{}: {}", '"{}": "{}"', "{} = '{}'", "export {}={}", "{}={}\nNEXT=1"]),
    value=mixed(14),
)
def test_a_value_whose_name_says_secret_is_replaced(name: str, form: str, value: str) -> None:
    said = redact(form.format(name, value))
    assert value not in said.text
    assert name in said.text
    assert "[redacted:secret]" in said.text


@settings(max_examples=40)
@given(
    user=text_of(LOWER36, 1, 8), password=text_of(BASE62 + "!$%&*+.:@", 6, 20), host=text_of(LOWER36, 3, 9)
)
def test_the_password_in_a_url_is_replaced_and_the_rest_stays(user: str, password: str, host: str) -> None:
    if password.startswith("$") or password.endswith("@"):
        return
    said = redact(f"connect to postgres://{user}:{password}@{host}:5432/shop please").text
    assert f":{password}@" not in said
    assert said.startswith(f"connect to postgres://{user}:[redacted:url-password]@")
    assert said.endswith(f"@{host}:5432/shop please")


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(string.ascii_lowercase),
            st.sampled_from(string.digits),
            st.sampled_from(string.ascii_uppercase),
        ),
        min_size=10,
        max_size=20,
        unique=True,
    )
)
def test_a_long_random_string_without_a_name_is_replaced(parts: list[tuple[str, str, str]]) -> None:
    secret = "".join(map("".join, parts))
    assert secret not in redact(f"here it is {secret} thanks").text


PEM = "-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_block_is_replaced_whole(kind: str) -> None:
    block = PEM.format(kind=kind, body="\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" for _ in range(20)))
    assert redact(f"before\n{block}\nafter").text == "before\n[redacted:private-key]\nafter"


def test_a_private_key_inside_json_or_without_its_end_is_replaced() -> None:
    block = PEM.format(kind="", body="MIIEvQIBADANBgkqhkiG9w0BAQEFAASC").replace("\n", "\\n")
    assert redact(f'{{"private_key": "{block}"}}').text.count("MIIE") == 0
    cut = PEM.format(kind="RSA ", body="MIIEvQIBADANBgkqhkiG9w0BAQEFAASC").partition("-----END")[0]
    assert redact(cut).text == "[redacted:private-key]"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a <private>my salary is 5</private> b", "a [redacted:private] b"),
        ("a <PRIVATE>x\ny</Private> b", "a [redacted:private] b"),
        ("a <private>x <private>y</private> z</private> b", "a [redacted:private] b"),
        ("a <private>never closed", "a [redacted:private]"),
        ("a < private >x</ private > b", "a [redacted:private] b"),
        ("a <private >x< /private> b", "a [redacted:private] b"),
        ("closed only </private> b", "closed only </private> b"),
    ],
)
def test_a_private_block_is_removed_at_the_entrance(text: str, kept: str) -> None:
    assert redact(text).text == kept


ORDINARY = [
    "always use pnpm here, not npm",
    "the password field must be at least 8 characters long",
    "password: required",
    "add a `token: string` parameter to login()",
    "const token = getToken()",
    "const password = process.env.DB_PASSWORD",
    'password = os.environ["DB_PASSWORD"]',
    "PASSWORD=${DB_PASSWORD}",
    "api_key=<your key>",
    "the token is expired again",
    "the secret is stored in vault, never in the repo",
    "set max_tokens: 4096 and token_type: bearer",
    "password: use the one from vault",
    "bearer authentication-with-refresh-tokens is what we use",
    "commit 4f2c9a1b7d3e8f6a5c4b3d2e1f0a9b8c7d6e5f4a broke it",
    "id 93857160-c224-4b26-a98b-b692598c1e7c is the test user",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    '"integrity": "sha512-Pjw3zT9bWqE7yHcVxKm2LrNf5tGdJ8uSoA4iQhYvB6kCeMnZ1RgXpDwUa0FsTl=="',
    "golang.org/x/net v0.17.0 h1:pVaXccu2ozPjCXewfr1S7xza/zcXTity9cCdXQYSjIM=",
    "rename DocumentRequestE2ETests to BirthDeclarationE2ETests",
    "CreateHttp11ConnectionAsync and extractEd25519PubKey stay public",
    "see src/components/checkout/PaymentMethodSelector.test.tsx",
    "the model is claude-3-5-sonnet-20241022 and nothing else",
    "deployment-01K0KVQGCVRJEPT50H1W5AT44F failed",
    "http://localhost:3000/api/v2/users?sort=name",
    "git@github.com:acme/shop.git is the remote",
    "https://user@example.org/path stays",
    "never commit .env; API keys come from vault",
    "нельзя коммитить пароли в репозиторий",
    "密码不要写进代码里",
    "Passwörter nie loggen",
    "token = b64encode(raw)",
    "N_SAMPLES_PER_TOKEN = HOP_LENGTH",
    "version 1.2.dev3+gf97a6e1403d9f0e93940a11b507524550a5c3896",
    "ratio 3:2, at 10:30, see line:42",
    "AKIA is the prefix of AWS keys",
    "the password is stored in vault",
    "the token is too long",
    "password reset is next",
    "pass the token to the API",
    "api_key is required",
    "the password for the demo user is in 1password",
    "the password is handled by Auth0",
    "the token is HS256, signed by us",
    "the token is JWT-based, so check its expiry",
    "the api key is v2-only",
    "the password is 8-character, at least",
    "the token is 32bytes long",
    "the secret is rotated every 30days",
    "set password to required",
    "set the token to null on logout",
    "use password hashing with argon2id",
    "passphrase: use the one from vault",
    "passphrase: ask the ops team",
    "the api key for OpenAI is in OPENAI_API_KEY2",
    "docker run -u 1000:1000 image",
    "curl -u $API_USER:$API_PASS https://api.test",
    "curl -u user:password https://api.test",
    "mysql -u root -p shop2",
    "BYPASS=true and COMPASS=north1",
    "the first pass is v2, the second pass: done",
    "a private <T> stays, and so does < private",
    "sk-learn-contrib is fine, so is sk-something-else-entirely",
]


@pytest.mark.parametrize("sentence", ORDINARY)
def test_ordinary_sentences_pass_unchanged(sentence: str) -> None:
    assert redact(sentence) == Redacted(text=sentence, counts={})


SPOKEN = [
    ("my password is hunter2xyz!", "hunter2xyz"),
    ("login with password: hunter22", "hunter22"),
    ("пароль: секрет123", "секрет123"),
    ("run it with --password s3cr3tpw and go", "s3cr3tpw"),
    ("Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==", "dXNlcjpwYXNzd29yZDEyMw"),
    ("curl -H 'Authorization: Bearer abcdef1234567890abcd'", "abcdef1234567890abcd"),
    (
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4==",
        "Zm9vYmFy",
    ),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz", "wJalrXUtn"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz", "wJalrXUtn"),
    ("the password for staging is Tr0ub4dor&3xyz, always use that one for smoke tests", "Tr0ub4dor&3xyz"),
    ("the password is hunter2Xy9, never print it", "hunter2Xy9"),
    ("DB_PASS=abc123xyz", "abc123xyz"),
    ("db_pass: abc123xyz", "abc123xyz"),
    ("curl -u admin:s3cretpass https://api.test/x", "s3cretpass"),
    ("curl -s --user 'bob:hunter2' https://api.test/x", "hunter2"),
    ("admin pw is hunter22x", "hunter22x"),
    ("set api_key to 9fK2mQ7xPz", "9fK2mQ7xPz"),
    ("change the root password to S3cure!pw and go on", "S3cure!pw"),
    ("use password hunter2x for the demo user", "hunter2x"),
    ("the token for the staging db is aB3dE5fG7h so use it", "aB3dE5fG7h"),
    ("creds are admin:hunter2x", "hunter2x"),
    ("the password is CorrectHorse.", "CorrectHorse"),
    ("passphrase for the vault: purple monkey dishwasher", "monkey"),
    ("passphrase = purple monkey dishwasher, never print it", "dishwasher"),
    ("sshpass -p s3cretpass ssh root@box", "s3cretpass"),
    ("SECRET_KEY = 'django-insecure-4x9v8c7b6n5m'", "4x9v8c7b6n5m"),
]


@pytest.mark.parametrize(("sentence", "secret"), SPOKEN)
def test_a_secret_said_in_a_sentence_is_replaced(sentence: str, secret: str) -> None:
    assert secret not in redact(sentence).text


PIECES = st.sampled_from(
    [
        "password: ", "secret=", "[redacted:", "]", "<private>", "</private>", "gh" + "p_", "sk-", "eyJ", "://",
        ":", "@", ".",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", '"', "\n", " ", "a7Qb8Rc9Sd0Te1Uf2Vg3",
        "token is ", "hunter2", "the password for it is ", "passphrase: ", "set api_key to ", "curl -u a:",
        "Xy9", "use password ", "purple monkey dishwasher", "DB_PASS=", ", ",
        "AKIAABCDEFGHIJKLMNOP", "Bearer ", "Authorization: ", "--token ", "x", "пароль", "密码", "4", "-",
    ]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text).text
    assert redact(once) == Redacted(text=once, counts={})


@given(st.text())
def test_cleaning_twice_changes_nothing_more_and_leaves_valid_text(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    once.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", once)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("a\x00b\x1b[31mred\x1b[0m\tc", "abred\tc"),
        ("\x1b]0;title\x07shell", "shell"),
        ("broken \udc88 here", "broken \ufffd here"),
        ("whole \ud83d\ude00 pair", "whole \U0001f600 pair"),
        ("hidden \u202eevil\u202c and \ufeffmark", "hidden evil and mark"),
        ("नियम\u200dक्ष में", "नियम\u200dक्ष में"),
    ],
)
def test_what_no_reader_can_see_is_cleaned_away(raw: str, kept: str) -> None:
    assert clean(raw) == kept


@given(
    st.text(
        alphabet=string.printable.replace("\r", "").replace("\x0b", "").replace("\x0c", "") + "äжक中",
        max_size=200,
    )
)
def test_readable_text_is_not_touched_by_cleaning(text: str) -> None:
    assert clean(text) == text


def test_a_token_hidden_behind_an_invisible_character_is_found_at_the_gateway() -> None:
    token = "gh" + "p_" + "A1b2" * 9
    assert token[-6:] not in admit(f"{token[:9]}\u202e{token[9:]}").text


HOSTILE = {
    "one word": "a",
    "names of secrets": "password",
    "names with signs": "token: ",
    "open keys": "-----BEGIN PRIVATE KEY-----",
    "open private": "<private>",
    "jwt heads": "eyJ",
    "schemes": "a://b:",
    "at signs": "x:@",
    "spaces": " ",
    "quotes": '"',
    "random": "a7Q",
    "authorization": "authorization: bearer ",
    "escapes": "\x1b[",
    "brackets": "[redacted:",
    "passwords told": "the password for the staging is ",
    "settings": "set the token to ",
    "passphrases": "passphrase: a b c d ",
    "logins": "curl -u a:",
    "clients": "mysql -p",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_work_grows_with_the_length_of_the_text_not_faster(name: str) -> None:
    """Counts calls, not seconds; what happens inside a pattern is bounded by the test below."""

    def calls(size: int) -> int:
        text = (HOSTILE[name] * size)[:size]
        count = 0

        def count_one(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(count_one)
        try:
            admit(text)
        finally:
            sys.setprofile(None)
        return count

    few, many = calls(4_000), calls(16_000)
    assert many <= 5 * few + 2_000


def patterns() -> list[tuple[str, re.Pattern[str]]]:
    found = [(f"{shape.kind} {n}", shape.pattern) for n, shape in enumerate(SHAPES)]
    for module in (gateway, assigned, entropy, spoken):
        found += [(name, value) for name, value in vars(module).items() if isinstance(value, re.Pattern)]
    return found


@pytest.mark.parametrize(("name", "pattern"), patterns(), ids=lambda v: v if isinstance(v, str) else "")
def test_no_pattern_repeats_without_bound_and_can_go_back(name: str, pattern: re.Pattern[str]) -> None:
    """A repetition either has a bound or is possessive, and none holds another one without bound."""
    parser = re._parser  # type: ignore[attr-defined]  # the only way to see a pattern as the matcher sees it
    giving_back = {parser.MAX_REPEAT, parser.MIN_REPEAT}

    def bounded(tree: object) -> bool:
        return "MAXREPEAT" not in repr(tree).replace("MAX_REPEAT", "")

    def widest(tree: object) -> int:
        """Returns how often the engine can go back over one stretch: the product of what it can give back."""
        ways = 1
        for operation, argument in tree:  # type: ignore[attr-defined]
            if operation in giving_back:
                low, high, inner = argument
                if high == parser.MAXREPEAT:
                    # Alone at the end it is cut by the next search; it must hold single characters only.
                    assert len(inner) == 1, name
                    assert inner[0][0] in (parser.IN, parser.LITERAL, parser.NOT_LITERAL, parser.ANY), name
                    ways *= 2
                else:
                    ways *= max(1, int(high) - int(low) + 1) * widest(inner)
            elif operation is parser.SUBPATTERN:
                ways *= widest(argument[-1])
            elif operation is parser.BRANCH:
                ways *= max(widest(branch) for branch in argument[1])
            elif operation in (parser.ASSERT, parser.ASSERT_NOT):
                assert bounded(argument[1]), f"{name} looks around without bound"
                ways *= widest(argument[1])
        return ways

    assert widest(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)) <= 5_000_000, name


def test_ten_megabytes_of_ordinary_text_pass_unchanged() -> None:
    words = random.Random(7)
    line = " ".join(
        words.choice(["the", "build", "fails", "on", "staging", "again", "src/app.py", "v2"])
        for _ in range(20)
    )
    text = (line + "\n") * (10_000_000 // len(line))
    assert redact(text).text == text


EXAMPLES = {
    "aws": ["ASIA" + "QWERTYUIOPASDFGH"],
    "gcp": [
        "AI" + "za" + "Sy_" + "ab1" * 10 + "xy",
        "ya" + "29.a0AfH6SMB" + "x1" * 12,
        "GOC" + "SPX-" + "aB3_" * 7,
    ],
    "azure": ["AccountKey=" + "aB3/" * 11, "aB3" + "8Q~" + "aB3-" * 8, "https://x.blob/?sig=" + "aB3%2F" * 5],
    "github": ["gh" + "o_" + "aB3" * 12, "github" + "_pat_" + "aB3_" * 8],
    "gitlab": ["gl" + "rt-" + "aB3-" * 6],
    "npm": ["np" + "m_" + "aB3" * 12],
    "pypi": ["py" + "pi-" + "AgEI" * 14],
    "slack": ["xo" + "xp-" + "123-" * 6, "https://hooks.slack.com/services/" + "T0/B0/" + "aB3" * 8],
    "stripe": ["rk" + "_test_" + "aB3" * 8, "wh" + "sec_" + "aB3" * 10],
    "anthropic": ["sk" + "-ant-" + "api03-" + "aB3" * 10],
    "openai": ["sk" + "-" + "aB3" * 16],
    "huggingface": ["h" + "f_" + "aBc" * 11],
    "sendgrid": ["S" + "G." + "aB3" * 7 + "." + "aB3" * 14],
    "twilio": ["S" + "K" + "0a" * 16],
    "telegram": ["123456789:" + "AA" + "aB3" * 11],
    "digitalocean": ["dop" + "_v1_" + "0a" * 32],
    "shopify": ["shp" + "at_" + "0a" * 16],
    "vault": ["hv" + "s." + "aB3" * 8],
    "docker": ["dckr" + "_pat_" + "aB3" * 9],
    "databricks": ["dap" + "i" + "0a" * 16],
    "linear": ["lin" + "_api_" + "aB3" * 12],
    "groq": ["gs" + "k_" + "aB3" * 16],
    "xai": ["xa" + "i-" + "aB3" * 20],
    "sentry": ["sntr" + "ys_" + "aB3" * 16],
    "supabase": ["sb" + "p_" + "0a" * 20],
    "notion": ["nt" + "n_" + "aB3" * 14],
    "age": ["AGE-" + "SECRET-KEY-1" + "QPZRY9X8" * 7],
    "jwt": ["ey" + "JhbGciOiJI." + "ey" + "JzdWIiOiIx." + "aB3_" * 10],
    "header": ["Authorization: Basic " + "dXNl" * 6],
    "bearer": ["bearer " + "aB3." * 6],
    "url-password": ["mysql://root:pass@db/x"],
    "basic-auth": ["curl -sS -u admin:s3cretpass", "mysql -u root -ps3cretpass"],
    "url-token": ["https://" + "ab12" * 8 + "@git.example.org/x"],
}


def test_every_row_of_the_table_finds_an_example_of_its_own() -> None:
    assert set(EXAMPLES) == {shape.kind for shape in SHAPES}
    unproven = [
        f"{shape.kind} {shape.literals}"
        for shape in SHAPES
        if not any(
            shape.pattern.search(text) and any(literal in text for literal in shape.literals)
            for text in EXAMPLES[shape.kind]
        )
    ]
    assert unproven == []


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_secret_is_replaced_under_the_name_of_its_kind(kind: str) -> None:
    for text in EXAMPLES[kind]:
        said = redact(f"take {text} for it")
        assert set(said.counts) == {kind}
        assert f"[redacted:{kind}]" in said.text
        assert said.text.startswith("take ")
        assert said.text.endswith(" for it")
