#!/bin/sh
# What mutants cost: prints a Markdown table of CPU time a mutant, compiling,
# making and comparing included, for the examples.
#
# With CODEFLAWS, the folder "benchmark" of the data set (docs/codeflaws.md), also
# for the programs of docs/results/mart-codeflaws.csv under Mart's operators, on
# which Mart itself was measured. With CORPUS, a folder of C sources such as
# zlib's, Lua's (scripts/corpora.sh says where they come from) or that of sqlite3.c
# (Debian's source of sqlite3: ./configure && make sqlite3.c, which needs tclsh),
# for every file in it; CORPUSFLAGS are for the compiler.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=$work/benchmutate
go build -buildvcs=false -o "$bench" ./cmd/benchmutate

echo '| programs | passes | files | failed | mutants | % equivalent | % duplicate | invalid | CPU ms/mutant | wall s | peak MB, winnow + opt |'
echo '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|'
"$bench" -passes "${PASSES:-default,O2}" examples examples/*/*.c
if [ -n "${CODEFLAWS:-}" ]; then
    # 1-A-bug-18353198-18353306 is the program 1-A-18353198.c.
    files=$(tail -n +2 docs/results/mart-codeflaws.csv | grep -v ',,' | cut -d, -f1 | head -n "${PROGRAMS:-1000}" | while read -r id; do
        echo "$CODEFLAWS/$id/$(echo "$id" | sed 's/-bug-\([0-9]*\)-[0-9]*$/-\1/').c"
    done)
    # shellcheck disable=SC2086 # names without blanks, one a word
    "$bench" -passes "${PASSES:-default,O2}" -operators mart816 'Codeflaws, mart816' $files -- -w
fi
if [ -n "${CORPUS:-}" ]; then
    # shellcheck disable=SC2086 # flags, one a word
    "$bench" -passes "${PASSES:-default}" "$(basename "$CORPUS")" "$CORPUS"/*.c -- ${CORPUSFLAGS:-}
fi
