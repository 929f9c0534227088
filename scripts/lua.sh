#!/bin/sh
# Puts Lua 5.4 into a folder, as Debian 12 ships its source, with the tests of
# cmd/benchrun/testdata/lua and a winnow.toml: each test is a script that the
# interpreter reads from standard input. Needs the network, apt-get and
# dpkg-source (package dpkg-dev), and no privileges.
#
#     sh scripts/lua.sh FOLDER
set -eu

folder=$1
scripts=$(dirname "$(realpath "$0")")
command -v dpkg-source >/dev/null || { echo 'lua.sh needs dpkg-source: apt-get install dpkg-dev' >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# apt-get source of a release that has LLVM 14, whatever this machine runs.
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/src"
echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main' >"$work/sources.list"
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)" "$@" >&2
}
apt update
(cd "$work/src" && apt source lua5.4)

mkdir -p "$folder/tests"
cp -r "$work"/src/lua5.4-*/src "$folder"
cp "$scripts"/../cmd/benchrun/testdata/lua/* "$folder/tests"
# Debian's build writes this header; luac is another program.
echo '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"' >"$folder/src/lua5.4-deb-multiarch.h"
rm "$folder/src/luac.c"
{
    echo 'program = "lua"'
    echo "sources = [$(cd "$folder" && printf '"%s", ' src/*.c)]"
    echo 'flags = ["-std=gnu99", "-DLUA_COMPAT_5_3", "-DLUA_USE_POSIX", "-lm"]'
    for test in "$folder"/tests/*.in; do
        name=$(basename "$test" .in)
        printf '\n[[tests.command]]\nname = "%s"\nargs = ["-"]\ninput = "tests/%s.in"\nexpect = "tests/%s.out"\nstatus = 0\n' "$name" "$name" "$name"
    done
} >"$folder/winnow.toml"
