#!/bin/sh
# Rebuilds the figures in docs/results, from raw inputs.
#
#   scripts/results.sh examples               the programs in examples/
#   scripts/results.sh codeflaws BENCHMARK    the benchmark (docs/codeflaws.md),
#                                             and the released models from it
#   scripts/results.sh criteria BENCHMARK     what the study of criteria reads beside:
#                                             the fixed versions of FIXED (700) faults
#   scripts/results.sh pages STUDIES          farm.md, indicators.md and
#                                             criteria.md, from what winnow
#                                             evaluate all wrote to STUDIES
#
# All hard faults are taken; or with FAULTS so many, in an order drawn from seed 1; or
# those that the file IDS names; or with MAXDATA those of programs with at most so many
# bytes of variables. HISTORY is where they are recorded: an import that was
# interrupted goes on there. SAMPLE (default 120) is how many mutants of each fault are
# learnt from.
set -eu

winnow=${WINNOW:-build/winnow}
out=docs/results

examples() {
    history=build/history-examples
    "$winnow" run --faults --force --out "$history" --progress lines examples/*/ >"$out/examples-runs.txt"
    "$winnow" evaluate "$history" --by program --details >"$out/examples.txt"
    "$winnow" evaluate "$history" --model codeflaws --details >"$out/examples-released-model.txt"
}

codeflaws() {
    history=${HISTORY:-build/history-codeflaws}
    sample=${SAMPLE:-120}
    if test -n "${FAULTS:-}"; then
        set -- "$1" --limit "$FAULTS"
        which="$FAULTS of them drawn with seed 1" by=" FAULTS=$FAULTS"
    elif test -n "${MAXDATA:-}"; then
        set -- "$1" --max-data "$MAXDATA"
        which="those of programs with at most $MAXDATA bytes of variables" by=" MAXDATA=$MAXDATA"
    elif test -n "${IDS:-}"; then
        set -- "$1" --ids "$IDS" --max-data 0
        which="those of $IDS" by=" IDS=$IDS"
    else
        which=all by=
    fi
    "$winnow" import codeflaws "$@" --out "$history" --progress lines >"$out/codeflaws-import.json"
    data="hard faults of the Codeflaws benchmark (faults that less than 25 % of the tests reveal), $which; $sample mutants of each to learn from"
    by="make model-codeflaws CODEFLAWS=BENCHMARK$by SAMPLE=$sample"
    "$winnow" train "$history" --sample "$sample" --folds 5 --repetitions 50 --published --details --force --out models/released/codeflaws --name codeflaws \
        --data "$data" --created-by "$by" >"$out/codeflaws.txt"
    "$winnow" train "$history" --sample "$sample" --features all --folds 5 --repetitions 50 --details --force --out models/released/codeflaws-dynamic --name codeflaws-dynamic \
        --data "$data" --created-by "$by" >"$out/codeflaws-dynamic.txt"
}

criteria() {
    "$winnow" import codeflaws "$1" ${MAXDATA:+--max-data "$MAXDATA"} --out "${HISTORY:-build/history-codeflaws}" \
        --criteria --limit "${FIXED:-700}" --progress lines >"$out/codeflaws-criteria.json"
}

# page FILE STUDIES NAME...: keeps a page down to its marker, and puts what the
# studies printed below it.
page() {
    file=$out/$1 studies=$2
    shift 2
    {
        sed '/^<!-- results -->$/q' "$file"
        for name in "$@"; do
            printf '\n## %s\n\n```text\n' "$name"
            cat "$studies/$name.txt"
            printf '```\n'
        done
    } >"$file.new"
    mv "$file.new" "$file"
}

pages() {
    page farm.md "$1" rq1 rq2 rq3 rq4 rq5 rq6 rq7
    page indicators.md "$1" indicators
    page criteria.md "$1" criteria
}

case "${1:-}" in
examples) examples ;;
pages) pages "${2:?say where winnow evaluate all wrote its files}" ;;
codeflaws) codeflaws "${2:?say where the folder benchmark of Codeflaws is (docs/codeflaws.md)}" ;;
criteria) criteria "${2:?say where the folder benchmark of Codeflaws is (docs/codeflaws.md)}" ;;
*)
    sed -n '2,18s/^# \{0,1\}//p' "$0" >&2
    exit 1
    ;;
esac
