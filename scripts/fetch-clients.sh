#!/usr/bin/env bash
# Installs the Claude Code clients that the tests drive, each into DIR/VERSION, unless it is there.
#   scripts/fetch-clients.sh DIR
# The oldest supported version, and the newest one known; ASIDES_NEWEST_CLIENT names another as newest.
set -euo pipefail

OLDEST=2.1.197
NEWEST=${ASIDES_NEWEST_CLIENT:-2.1.332}

say() { printf '%s\n' "$*" >&2; }

if [ $# -ne 1 ]; then
    say "usage: scripts/fetch-clients.sh DIR"
    exit 1
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# The package holds a native program for each platform; npm takes the fitting one.
program_in() {
    local found
    for found in "$1"/node_modules/@anthropic-ai/claude-code-*/claude; do
        [ -x "$found" ] && return
    done
    return 1
}

for version in "$OLDEST" "$NEWEST"; do
    place=$folder/$version
    if program_in "$place"; then
        say "Claude Code $version is there: $place"
        continue
    fi
    if ! command -v npm > /dev/null; then
        say "npm was not found, so Claude Code $version cannot be installed. On Debian and Ubuntu: apt-get install npm"
        exit 1
    fi
    say "installing Claude Code $version into $place (about a minute)"
    mkdir -p "$place"
    # Without a package.json of its own, npm would install into the nearest folder above that has one.
    [ -e "$place/package.json" ] || printf '{"private": true}\n' > "$place/package.json"
    if ! npm install --prefix "$place" --no-audit --no-fund --no-update-notifier --loglevel=error \
        --save-exact "@anthropic-ai/claude-code@$version" > "$place/npm.log" 2>&1 || ! program_in "$place"; then
        say "Claude Code $version could not be installed; npm said:"
        tail -n 20 "$place/npm.log" >&2
        exit 1
    fi
    say "installed Claude Code $version"
done
