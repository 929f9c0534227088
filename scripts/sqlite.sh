#!/bin/sh
# Puts sqlite3.c, the whole of SQLite in one file, into a folder, from the npm
# package better-sqlite3, whose release is always the same text. Needs npm.
#
#     sh scripts/sqlite.sh FOLDER
set -eu

version=12.11.1
mkdir -p "$1"
folder=$(realpath "$1")
command -v npm >/dev/null || { echo 'sqlite.sh needs npm: apt-get install npm' >&2; exit 1; }
package=$(cd "$folder" && npm pack --silent "better-sqlite3@$version")
tar -xzf "$folder/$package" -C "$folder" --strip-components=3 package/deps/sqlite3/sqlite3.c
rm "$folder/$package"
