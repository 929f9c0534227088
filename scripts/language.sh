#!/bin/sh
# Trains the language model that ships (features/ngram/corpus.bin) on zlib and Lua
# 5.4, as Debian 12 ships their sources, and on SQLite. Needs the network, apt-get,
# dpkg-source (package dpkg-dev) and npm, and no privileges.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/debian-source.sh"
debian_source "$work" zlib lua5.4
sh scripts/sqlite.sh "$work"
go run -buildvcs=false ./cmd/trainngram features/ngram/corpus.bin "$work"/src/zlib-*/*.c "$work"/src/lua5.4-*/src/*.c "$work/sqlite3.c"
