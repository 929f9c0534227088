#!/bin/sh
# Runs winnow on every C file of zlib and of Lua 5.4, as Debian ships their
# sources, and writes what came of it to docs/results/corpora.md. Needs the
# network, apt-get and dpkg-source (package dpkg-dev), and no privileges: the
# lists of packages are private to a temporary folder. About two minutes.
set -eu

winnow=${WINNOW:-build/winnow}
out=docs/results/corpora.md

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
winnow=$(realpath "$winnow")
go build -buildvcs=false -o "$work/verifycorpus" ./cmd/verifycorpus

. "$(dirname "$0")/debian-source.sh"
debian_source "$work" zlib lua5.4
zlib=$(echo "$work"/src/zlib-*)
lua=$(echo "$work"/src/lua5.4-*)
# Debian's build writes this header.
echo '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"' >"$lua/src/lua5.4-deb-multiarch.h"

rows=$work/rows
status=0
"$work/verifycorpus" "$winnow" zlib "$zlib"/*.c -- -D_LARGEFILE64_SOURCE=1 -DHAVE_UNISTD_H -DHAVE_STDARG_H >"$rows" || status=1
"$work/verifycorpus" "$winnow" lua "$lua"/src/*.c -- -std=gnu99 -DLUA_COMPAT_5_3 -DLUA_USE_LINUX >>"$rows" || status=1

{
    cat <<END
# winnow on programs that are not ours

\`winnow rank --strategy random --format json\` on every C file of two programs, as
Debian 12 ships their sources ($(basename "$zlib") and $(basename "$lua")), and
LLVM's verifier (\`opt-14 -passes=verify\`) on the meta-mutant of each. Written by
\`make corpora\`.

*Not mutated* counts functions with a construct that winnow leaves alone, *failed*
files on which the command failed, *invalid* meta-mutants that the verifier refuses.

| program | file | mutants | not mutated | failed | invalid |
|---|---|--:|--:|--:|--:|
END
    cat "$rows"
} >"$work/corpora.md"
mv "$work/corpora.md" "$out"
chmod 644 "$out"
exit $status
