#!/bin/sh
# What mutants cost: prints a Markdown table of CPU time a mutant, compiling,
# making and comparing included, for the examples.
#
# With CODEFLAWS, the folder "benchmark" of the data set (docs/codeflaws.md), also
# for the programs of docs/results/mart-codeflaws.csv under Mart's operators, on
# which Mart itself was measured, PROGRAMS of them; with ALONE=1 only these, each
# compared with one opt process a mutant. With CORPUS, a folder of C sources such
# as zlib's or Lua's (scripts/corpora.sh says where they come from), for every file
# in it; CORPUSFLAGS are for the compiler, OPERATORS other rules than default. With
# SQLITE=1, for sqlite3.c, which scripts/sqlite.sh gets. With GROWTH, numbers of
# copies joined by commas, for programs of so many copies of an example; FIGURE is
# the SVG file to draw that to. ONLY=1 leaves out the examples, which are otherwise
# always measured.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=$work/benchmutate
go build -buildvcs=false -o "$bench" ./cmd/benchmutate

header() {
    echo '| programs | passes | files | failed | mutants | % equivalent | % duplicate | invalid | CPU ms/mutant | wall s | peak MB |'
    echo '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|'
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
if [ -z "${ONLY:-}" ]; then
    "$bench" -passes "${PASSES:-default,O2}" -operators default examples examples/*/*.c
fi
if [ -n "${CODEFLAWS:-}" ]; then
    # shellcheck disable=SC2046 # names without blanks, one a word
    "$bench" -passes "${PASSES:-default,O2}" -operators mart816 'Codeflaws, mart816' $(programs) -- -w
fi
if [ -n "${CORPUS:-}" ]; then
    # shellcheck disable=SC2086 # flags, one a word
    "$bench" -passes "${PASSES:-default}" -operators "${OPERATORS:-default}" "$(basename "$CORPUS")" "$CORPUS"/*.c -- ${CORPUSFLAGS:-}
fi
if [ -n "${SQLITE:-}" ]; then
    sh scripts/sqlite.sh "$work"
    "$bench" -passes "${PASSES:-default}" -operators default -phases sqlite3.c "$work/sqlite3.c"
fi
if [ -n "${GROWTH:-}" ]; then
    "$bench" -copies "$GROWTH" -svg "${FIGURE:-$work/growth.svg}" -passes "${PASSES:-default}" -operators default bst.c examples/bst/bst.c
fi
