"""Names of which one takes the place of another: tools for one purpose, and words that are opposites.

Written from general knowledge of the trade, not from any labelled set. What is missing here is only less
certain: a change that says so in words is seen without it.
"""

from __future__ import annotations

from asides.judge.words import vocabulary

# One line, one purpose; a name may serve several.
_FAMILIES = """
npm pnpm yarn bun deno
jest vitest mocha jasmine ava karma
playwright cypress selenium puppeteer webdriverio testcafe
eslint biome oxlint tslint standard xo
prettier dprint biome rome
black ruff yapf autopep8
flake8 pylint ruff pycodestyle
mypy pyright pyre pytype basedpyright
pip poetry uv pipenv conda hatch pdm rye mamba
pytest unittest nose nose2
rspec minitest
phpunit pest codeception
xunit nunit mstest
junit testng spock
make just task makefile justfile taskfile mage
maven gradle bazel sbt ant buck
webpack vite rollup parcel esbuild turbopack rspack
turbo nx lerna rush moon
axios fetch ky got superagent request undici
moment dayjs luxon date-fns datefns
lodash underscore ramda remeda
redux zustand mobx recoil jotai pinia vuex xstate valtio
react vue svelte angular solid preact
next nuxt remix astro gatsby sveltekit
tailwind bootstrap bulma sass scss less stylus styled emotion unocss
recharts echarts d3 chartjs visx highcharts plotly nivo victory
leaflet mapbox maplibre openlayers
express fastify koa hapi hono nest
django flask fastapi starlette bottle tornado sanic litestar
rails sinatra hanami
laravel symfony codeigniter slim
spring quarkus micronaut
postgres mysql mariadb sqlite mssql oracle cockroach
mongodb mongo couchdb dynamodb firestore cassandra
redis memcached valkey keydb dragonfly
rabbitmq rabbit kafka nats sqs pulsar redpanda activemq zeromq
sidekiq resque celery dramatiq rq huey arq
sqlalchemy peewee tortoise django-orm pony
prisma drizzle typeorm sequelize knex mikroorm kysely
gorm sqlc ent sqlx bun
hibernate jooq mybatis
pandas polars dask duckdb spark modin
tensorflow pytorch jax keras
matplotlib plotly seaborn bokeh altair
docker podman buildah kaniko nerdctl
helm kustomize jsonnet tanka
terraform pulumi opentofu cloudformation cdk
ansible puppet chef salt
jenkins gitlab github circleci travis drone buildkite bitbucket
heroku fly render railway vercel netlify hetzner dokku kamal
aws gcp azure
jira linear trello asana youtrack
slack teams discord mattermost
auth0 keycloak cognito okta clerk firebase supabase
sentry rollbar bugsnag
datadog grafana newrelic prometheus
nginx apache caddy traefik haproxy
bash zsh fish powershell sh nushell
vim emacs vscode neovim
grep ripgrep rg ag ack
find fd
cmake meson bazel premake xmake autotools
platformio arduino esp-idf
unity godot unreal bevy
gdscript c#
bloc riverpod provider getx redux mobx
rxjava coroutines rxjs rxswift combine
gson jackson moshi kotlinx
livedata stateflow flow
java kotlin scala groovy
go rust java python ruby elixir zig scala
viridis cividis magma plasma inferno jet
zod valibot yup joi ajv arktype
latex word docx typst
mui antd chakra mantine shadcn radix
stripe adyen paypal braintree
s3 gcs r2 minio
mkdocs sphinx docusaurus vitepress
snowflake bigquery redshift databricks clickhouse
loguru structlog
litellm langchain
opencv pillow
httpx requests aiohttp
javascript typescript coffeescript
objective-c swift
graphql rest grpc soap trpc
json xml yaml toml protobuf msgpack avro ini csv parquet
markdown rst restructuredtext asciidoc org
biblatex natbib
uuid ulid bigint serial nanoid
tabs spaces
english german french spanish chinese italian dutch russian japanese portuguese polish
debian ubuntu alpine fedora arch distroless
intel arm
kubernetes nomad swarm ecs
camelcase snake_case kebab-case pascalcase camel snake kebab pascal
utc cet est pst
"""
_OPPOSITES = """
single double triple
upper lower
uppercase lowercase
first last
leading trailing
start stop
kill leave
enable disable
enabled disabled
left right
ascending descending asc desc
light dark
sync async
short long
min max
allow deny
british american
internal external
public private
local remote
absolute relative
named default
singular plural
composition inheritance
soft hard
eager lazy
online offline
metric imperial
portrait landscape
"""

# Where two rules name different ones of these, both hold.
AREAS = vocabulary(
    """
    python go golang rust java javascript typescript js ts jsx tsx css scss html yaml yml json toml sql
    ruby php shell bash swift kotlin c c++ c# scala elixir markdown makefile makefiles frontend backend
    server client api web mobile ios android ci staging production prod local desktop admin docs migration
    migrations legacy script scripts worker workers cli
    """
)


def _families(text: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in text.strip().splitlines():
        family = vocabulary(line)
        for name in family:
            found[name] = found.get(name, frozenset()) | family - {name}
    return found


RIVALS = _families(_FAMILIES)
OPPOSITES = _families(_OPPOSITES)
