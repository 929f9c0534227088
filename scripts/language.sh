#!/bin/sh
# Trains the language model that ships (features/ngram/corpus.bin) on zlib and Lua
# 5.4, as Debian 12 ships their sources, and on SQLite. Needs the network, apt-get,
# dpkg-source (package dpkg-dev) and npm, and no privileges.
set -eu

command -v dpkg-source >/dev/null || { echo 'language.sh needs dpkg-source: apt-get install dpkg-dev' >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/src"
echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main' >"$work/sources.list"
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)" "$@" >&2
}
apt update
(cd "$work/src" && apt source zlib lua5.4)
sh scripts/sqlite.sh "$work"
go run -buildvcs=false ./cmd/trainngram features/ngram/corpus.bin "$work"/src/zlib-*/*.c "$work"/src/lua5.4-*/src/*.c "$work/sqlite3.c"
