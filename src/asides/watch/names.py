"""Names that can be told for what they are without asking anybody: packages, constructs, languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from asides.model.watch import Form, Sign


def _these(names: str) -> frozenset[str]:
    return frozenset(names.split())


# Packages whose names are hardly said for anything else.
PACKAGES = _these(
    """
    axios moment moment-timezone lodash lodash-es jquery redux redux-saga redux-thunk react-redux mobx
    mobx-react zustand jotai dayjs luxon date-fns joi zod yup ajv superagent node-fetch cross-fetch
    isomorphic-fetch undici ky bluebird rxjs ramda  enzyme jest vitest mocha chai jasmine sinon
    cypress playwright puppeteer formik react-hook-form styled-components tailwindcss react-query swr
    winston pino bunyan log4js fastify koa hapi nestjs typeorm sequelize prisma drizzle-orm mongoose
     bcrypt bcryptjs jsonwebtoken crypto-js node-sass child_process uuid nanoid classnames clsx
    webpack rollup esbuild  gulp react-router react-router-dom wouter antd bootstrap vuex pinia
    nuxt socket.io ts-node  nodemon dotenv left-pad react-table  chart.js d3 three.js
     pandas polars numpy scipy httpx aiohttp urllib3 pytz pendulum zoneinfo sqlalchemy peewee
    psycopg2 asyncpg pymongo structlog loguru unittest pytest  unittest.mock orjson ujson simplejson
    pyyaml ruamel.yaml pydantic marshmallow django fastapi  sanic gunicorn uvicorn pathlib pdb
    ipdb typer argparse optparse docopt boto boto3 botocore selenium beautifulsoup4 bs4 lxml matplotlib
    seaborn plotly tensorflow pytorch keras scikit-learn sklearn nltk tenacity freezegun factory_boy
    mongoengine tortoise-orm psycopg pymysql mysqlclient dateutil python-dateutil logrus slog zerolog
    testify gomega ginkgo gorm sqlx sqlc  gorilla/mux io/ioutil lazy_static anyhow thiserror chrono
    tokio async-std actix-web   reqwest  openssl rustls serde_json once_cell itertools
    lombok guava gson jackson joda-time log4j slf4j mockito junit hibernate mapstruct automapper
    newtonsoft.json nlog serilog  nunit xunit httparty faraday rspec minitest devise sidekiq resque
    nokogiri factory_bot alamofire snapkit rxswift boost iostream
    """
)

# Packages with a name that is a word: counted where they are quoted, called a package, or set against one.
WORDS_TOO = _these(
    """
    request requests express underscore chalk got click rich flask celery attrs arrow records faker pony
    black async commander yargs inquirer debug ora vue react angular svelte ember passport cheerio jsdom
    pickle marshal logging json time datetime typing random socket threading multiprocessing subprocess
    shelve csv sqlite3 yaml toml log errors fmt http path fs os util crypto events buffer mock cobra gin
    echo chi fiber wire mux clap rand tsx hyper parcel nose diesel viper tornado backbone immer knex moq
    warp rocket regex bytes guzzle carbon monolog dry thor
    pry rack puma sass less
    """
)

# Words that are packages where they are set against another package for the same.
RIVALS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "requests": _these("httpx aiohttp urllib3 niquests"),
        "request": _these("axios undici got ky node-fetch fetch"),
        "got": _these("axios undici ky node-fetch fetch"),
        "express": _these("fastify koa hapi nestjs hono"),
        "logging": _these("structlog loguru"),
        "json": _these("orjson ujson msgspec simplejson"),
        "pickle": _these("msgspec orjson json"),
        "chalk": _these("picocolors kleur colorette"),
        "log": _these("slog zap zerolog logrus"),
        "errors": _these("github.com/pkg/errors"),
        "click": _these("typer argparse"),
        "flask": _these("fastapi django starlette litestar"),
        "celery": _these("dramatiq arq rq"),
        "underscore": _these("lodash ramda"),
        "angular": _these("react svelte vue"),
        "guzzle": _these("symfony/http-client"),
        "carbon": _these("chronos"),
    }
)

# Quoted, and still no package: tools, branches, words of languages.
NO_PACKAGES = _these(
    """
    npm pnpm yarn bun pip uv poetry git docker make curl wget sudo ssh bash sh node python python3 go
    cargo ruby java main master develop dev prod staging true false null none nil undefined this self
    super new class enum void static public private protected final const let if else for while switch
    case return break continue goto with try catch finally throw throws raise import export default from
    as is in of not and or async await yield interface type struct union namespace module def fn func
    function lambda pass global nonlocal del string int float double bool object number unknown never
    symbol px em rem div span table id style script test tests src lib dist build
    """
)

NO_NAMES = _these(
    """
    camelcase pascalcase snake_case kebab-case screaming_snake_case ios macos ipados grpc jquery github
    gitlab graphql postgresql mongodb mysql typescript javascript vscode devops openai eslint
    """
)

FILE_ENDINGS = _these(
    """
    js jsx ts tsx mjs cjs py pyi go rs java kt cs rb php c h cc cpp hpp swift scala sql css scss html
    vue svelte md mdx json yaml yml toml lock txt cfg ini env sh xml csv svg png proto graphql prisma tf
    gradle lua dart ex exs
    """
)

LANGUAGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "script": ("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"),
        "typed": ("ts", "tsx", "mts", "cts", "vue", "svelte"),
        "python": ("py", "pyi"),
        "go": ("go",),
        "rust": ("rs",),
        "java": ("java", "kt", "scala"),
        "sharp": ("cs",),
        "ruby": ("rb",),
        "php": ("php",),
        "native": ("c", "h", "cc", "cpp", "hpp", "cxx", "hh"),
        "swift": ("swift",),
        "style": ("css", "scss", "sass", "less", "vue", "svelte", "ts", "tsx", "js", "jsx", "html"),
        "query": ("sql", "py", "js", "ts", "go", "java", "kt", "rb", "php", "cs", "rs"),
        "markup": ("tsx", "jsx", "vue", "svelte", "html"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Construct:
    """A piece of a language that developers call by a name of its own. No language: any."""

    language: str
    signs: tuple[Sign, ...]


def _calls(*names: str) -> tuple[Sign, ...]:
    return tuple(Sign(form=Form.CALL, text=name) for name in names)


def _texts(*texts: str) -> tuple[Sign, ...]:
    return tuple(Sign(form=Form.TEXT, text=text) for text in texts)


def _words(*words: str) -> tuple[Sign, ...]:
    return tuple(Sign(form=Form.WORD, text=word) for word in words)


_ANY = _words(": any", "as any", "<any>", "any[]", ", any>")
_STYLES = _texts("style={{", 'style="')

# What is said (lower case, singular) -> for each language that has it, what it is there.
CONSTRUCTS: Mapping[str, tuple[Construct, ...]] = MappingProxyType(
    {
        said: tuple(Construct(language=language, signs=signs) for language, signs in meant)
        for saids, meant in (
            (("console.log",), [("script", _calls("console.log"))]),
            (("console.error",), [("script", _calls("console.error"))]),
            (("process.env",), [("script", _words("process.env"))]),
            (("import.meta.env",), [("script", _words("import.meta.env"))]),
            (("console.warn",), [("script", _calls("console.warn"))]),
            (("console.debug",), [("script", _calls("console.debug"))]),
            (("console statement",), [("script", _words("console"))]),
            (("print", "print statement", "print()", "print call"), [("python", _calls("print"))]),
            (("pprint",), [("python", _calls("pprint"))]),
            (("default export", "export default"), [("script", _texts("export default"))]),
            (("any", "any type", "explicit any"), [("typed", _ANY)]),
            (("as any",), [("typed", _words("as any"))]),
            (("var", "var keyword"), [("script", _words("var"))]),
            (("inline style", "inline css"), [("markup", _STYLES)]),
            (("!important",), [("style", _texts("!important"))]),
            (("debugger", "debugger statement"), [("script", _words("debugger"))]),
            (("@ts-ignore", "// @ts-ignore", "ts-ignore"), [("script", _texts("@ts-ignore"))]),
            (("@ts-expect-error", "ts-expect-error"), [("script", _texts("@ts-expect-error"))]),
            (("@ts-nocheck", "ts-nocheck"), [("script", _texts("@ts-nocheck"))]),
            (("eslint-disable", "eslint-disable comment"), [("script", _texts("eslint-disable"))]),
            (("noqa", "# noqa", "noqa comment"), [("python", _texts("noqa"))]),
            (
                ("type: ignore", "# type: ignore", "type: ignore comment", "# type: ignore comment"),
                [("python", _texts("type: ignore"))],
            ),
            (("todo comment", "todos in comments"), [("", _texts("TODO"))]),
            (
                ("bare except", "bare except clause", "bare except:", "except:"),
                [("python", _words("except:"))],
            ),
            (
                ("wildcard import", "star import", "import *"),
                [("python", _words("import *"))],
            ),
            (("shell=true",), [("python", _words("shell=True"))]),
            (
                (
                    "datetime.now() without tz",
                    "datetime.now() without a timezone",
                    "datetime.now() without a tz",
                ),
                [("python", _words("datetime.now()"))],
            ),
            (
                ("os.path",),
                [("python", (Sign(form=Form.IMPORT, text="os.path"), *_words("os.path")))],
            ),
            (("datetime.utcnow",), [("python", _calls("datetime.utcnow"))]),
            (("unwrap", ".unwrap", "unwrap()", ".unwrap()"), [("rust", _calls(".unwrap"))]),
            (
                ("panic", "panic()"),
                [
                    ("go", (Sign(form=Form.RAISE, text="panic"),)),
                    ("rust", (Sign(form=Form.RAISE, text="panic"),)),
                ],
            ),
            (("panic!",), [("rust", (Sign(form=Form.RAISE, text="panic"),))]),
            (("require", "require()"), [("script", _calls("require"))]),
            (
                ("eval", "eval()"),
                [("script", _calls("eval")), ("python", _calls("eval")), ("php", _calls("eval"))],
            ),
            (("alert", "alert()"), [("script", _calls("alert"))]),
            (("puts",), [("ruby", _calls("puts"))]),
            (("binding.pry",), [("ruby", _words("binding.pry"))]),
            (("byebug",), [("ruby", _words("byebug"))]),
            (("var_dump",), [("php", _calls("var_dump"))]),
            (("printf",), [("native", _calls("printf"))]),
            (("using namespace std",), [("native", _words("using namespace std"))]),
            (("printstacktrace",), [("java", _words("printStackTrace"))]),
            (("settimeout",), [("script", _calls("setTimeout"))]),
            (("setinterval",), [("script", _calls("setInterval"))]),
            (("localstorage",), [("script", _words("localStorage"))]),
            (("sessionstorage",), [("script", _words("sessionStorage"))]),
            (("select *",), [("query", _texts("SELECT *", "select *"))]),
            (("module.exports",), [("script", _words("module.exports"))]),
            (("document.write",), [("script", _calls("document.write"))]),
        )
        for said in saids
    }
)

ENVIRONMENT: Mapping[str, tuple[Sign, ...]] = MappingProxyType(
    {
        "script": _words("process.env", "import.meta.env"),
        "python": _words("os.environ", "os.getenv"),
        "go": _words("os.Getenv", "os.LookupEnv"),
        "rust": _words("env::var"),
        "ruby": _texts("ENV[", "ENV.fetch"),
    }
)
