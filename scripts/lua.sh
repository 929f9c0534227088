#!/bin/sh
# Puts Lua 5.4 into a folder, as Debian 12 ships its source, with the tests of
# cmd/benchrun/testdata/lua.txtar and a winnow.toml: each test is a script that the
# interpreter reads from standard input. Needs the network, apt-get and
# dpkg-source (package dpkg-dev), and no privileges.
#
#     sh scripts/lua.sh FOLDER
set -eu

folder=$1
scripts=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. "$(dirname "$0")/debian-source.sh"
debian_source "$work" lua5.4

mkdir -p "$folder/tests"
cp -r "$work"/src/lua5.4-*/src "$folder"
awk -v folder="$folder/tests" '/^-- .* --$/ { file = folder "/" $2; next } { print >file }' "$scripts"/../cmd/benchrun/testdata/lua.txtar
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
