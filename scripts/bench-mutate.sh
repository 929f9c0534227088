#!/bin/sh
# What mutants cost: prints a Markdown table of CPU time a mutant, compiling,
# making and comparing included, for the examples.
#
# With CODEFLAWS, the folder "benchmark" of the data set (docs/codeflaws.md), also
# for the programs of docs/results/mart-codeflaws.csv under Mart's operators, on
# which Mart itself was measured, PROGRAMS of them; with ALONE=1 only these, each
# compared with one opt process a mutant. With CORPUS, a folder of C sources such
# as zlib's or Lua's (scripts/corpora.sh says where they come from), for every file
# in it; CORPUSFLAGS are for the compiler. A folder with sqlite3.c alone is what
# Debian's source of sqlite3 makes (./configure && make sqlite3.c, which needs
# tclsh), or deps/sqlite3 of the npm package better-sqlite3. With GROWTH, numbers
# of functions, for generated files of that many functions.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=$work/benchmutate
go build -buildvcs=false -o "$bench" ./cmd/benchmutate

header() {
    echo '| programs | passes | files | failed | mutants | % equivalent | % duplicate | invalid | CPU ms/mutant | wall s | peak MB, winnow + opt |'
    echo '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|'
}

# growth prints a C file of so many functions that all differ.
growth() {
    i=0
    while [ "$i" -lt "$1" ]; do
        echo "int f$i(int *a, int n, int k) { int i, s = $i; for (i = 0; i < n; i++) { if (a[i] > k && a[i] % 3 != 1) s += a[i] * k; else s -= k; } return s; }"
        i=$((i + 1))
    done
}

# programs lists the sources of the programs on which Mart was measured:
# 1-A-bug-18353198-18353306 is 1-A-18353198.c.
programs() {
    tail -n +2 docs/results/mart-codeflaws.csv | grep -v ',,' | cut -d, -f1 | head -n "${PROGRAMS:-1000}" | while read -r id; do
        echo "$CODEFLAWS/$id/$(echo "$id" | sed 's/-bug-\([0-9]*\)-[0-9]*$/-\1/').c"
    done
}

if [ -n "${ALONE:-}" ]; then
    echo '| programs | passes | mutants | found in bulk | found alone | in both | bulk / alone | CPU ms/mutant in bulk | alone |'
    echo '|---|---|--:|--:|--:|--:|--:|--:|--:|'
    # shellcheck disable=SC2046 # names without blanks, one a word
    "$bench" -alone -passes "${PASSES:-O2}" -operators mart816 'Codeflaws, mart816' $(programs) -- -w
    exit
fi
header
"$bench" -passes "${PASSES:-default,O2}" -operators default examples examples/*/*.c
if [ -n "${CODEFLAWS:-}" ]; then
    # shellcheck disable=SC2046 # names without blanks, one a word
    "$bench" -passes "${PASSES:-default,O2}" -operators mart816 'Codeflaws, mart816' $(programs) -- -w
fi
if [ -n "${CORPUS:-}" ]; then
    # shellcheck disable=SC2086 # flags, one a word
    "$bench" -passes "${PASSES:-default}" -operators default "$(basename "$CORPUS")" "$CORPUS"/*.c -- ${CORPUSFLAGS:-}
fi
for n in ${GROWTH:-}; do
    growth "$n" >"$work/growth.c"
    "$bench" -passes "${PASSES:-default}" -operators default "$n functions" "$work/growth.c"
done
