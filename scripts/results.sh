#!/bin/sh
# Rebuilds the figures in docs/results, from raw inputs.
#
#   scripts/results.sh examples               the programs in examples/
#   scripts/results.sh codeflaws BENCHMARK    the benchmark (docs/codeflaws.md),
#                                             and the released models from it
#   scripts/results.sh criteria BENCHMARK     what the study of criteria reads beside:
#                                             the fixed versions of FIXED (700) faults
#   scripts/results.sh pages STUDIES          farm.md (the main tables of seven
#                                             studies), indicators.md and criteria.md,
#                                             from what winnow evaluate all wrote to
#                                             STUDIES
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
    command -v zstd >/dev/null || { echo 'released models are compressed: apt-get install zstd' >&2; exit 1; }
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
    "$winnow" train "$history" --sample "$sample" --folds 5 --repetitions 50 --published --details --force --out models/released/codeflaws --name codeflaws --version 2 \
        --data "$data" --created-by "$by" >"$out/codeflaws.txt"
    "$winnow" train "$history" --sample "$sample" --features all --folds 5 --repetitions 50 --details --force --out models/released/codeflaws-dynamic --name codeflaws-dynamic --version 2 \
        --data "$data" --created-by "$by" >"$out/codeflaws-dynamic.txt"
    zstd -q -19 --rm models/released/codeflaws/*.txt models/released/codeflaws-dynamic/*.txt
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

# excerpt STUDY TABLE ROWS COLUMNS [WHICH]: the rows that fit ROWS, an expression, of the
# table with that title, with only the columns named, as Markdown. Cells are two spaces
# apart. WHICH says in words what rows they are.
excerpt() {
    awk -v study="$1" -v title="$2" -v rows="$3" -v columns="$4" -v which="${5:+ ($5)}" -F '  +' '
    $0 == title { inside = 1; getline; getline; chosen = header(); next }
    inside && /^$/ { exit }
    inside && $0 ~ rows { print line(chosen) }
    END { if (!inside) { print study ": no table " title >"/dev/stderr"; exit 1 } }

    # header finds the columns, and prints their names and the rule below.
    function header(   n, names, i, k, rule) {
        n = split(columns, names, ", *")
        for (i = 1; i <= n; i++) {
            for (k = 1; k <= NF && $k != names[i]; k++);
            if (k > NF) { print study ": " title ": no column " names[i] >"/dev/stderr"; exit 1 }
            at[i] = k
            rule = rule (i == 1 ? "|---|" : "--:|")
        }
        print "**" title "**" which "\n\n" line(n) "\n" rule
        return n
    }
    function line(n,   i, text) {
        for (i = 1; i <= n; i++) text = text "  " $(at[i])
        gsub(/\|/, "\\\\&", text)
        gsub(/  /, " | ", text)
        return substr(text, 2) " |"
    }' "$studies/$1.txt"
    echo
}

# question NAME: a heading, and the first lines of what the study printed.
question() {
    sed -n '1s/^\(.*\)$/## \1\n/p; 2s/$/\n/p' "$studies/$1.txt"
}

# notes NAME: the last lines of what the study printed.
notes() {
    sed -n '/^Notes:$/,$p' "$studies/$1.txt" | sed '1s/$/\n/'
    echo
}

# farm prints what farm.md has of the seven studies: of all mutants (what is said of
# those reached is alike), at one size of a selection.
farm() {
    predicted='learner,mutants,base rate,AUC,AUC low,AUC high,average precision,Brier,published AUC'
    found='learner,top,precision,recall,F1,published precision,published recall,published F1'
    ordered='order,median,mean,mean gain,gain low,gain high,A12,p Holm,of oracle %,published median gain'

    question rq1
    excerpt rq1 'Over all mutants and within a fault' '  killable ' "$predicted" 'killable mutants'
    excerpt rq1 'Among the best-scored mutants: precision, recall and F1, and how far they are above a random choice (percent, points)' '  killable  *all ' "$found" 'killable mutants'
    notes rq1
    question rq2
    excerpt rq2 'Over all mutants and within a fault' '  fault-revealing ' "$predicted"
    excerpt rq2 'Among the best-scored mutants: precision, recall and F1, and how far they are above a random choice (percent, points)' '  all ' "$found"
    excerpt rq2 'The features that tell most about fault revelation (bits, over all mutants)' . 'feature,fault-revealing,killable'
    notes rq2
    question rq3
    excerpt rq3 'Faults revealed by the selected mutants' '^revealed at 5%  *random .*  all ' "$ordered" 'at 5 %; gains over random'
    notes rq3
    question rq4
    excerpt rq4 "Mutants that the rules select (median percent of a program's)" . 'rule,share,published share'
    excerpt rq4 'Faults revealed by as many mutants as SDL selects' '  all ' "$ordered" 'gains over SDL'
    excerpt rq4 "Faults revealed by samples of E-Selective's size and less" '^revealed at 15% .*  all ' "$ordered" 'at 15 %; gains over E-Selective'
    notes rq4
    question rq5
    excerpt rq5 'APFD by the three costs (percent)' '^APFD .mutants selected.  *random .*  all ' "$ordered" 'mutants selected; gains over random'
    excerpt rq5 'What it took to reveal a fault, where it was revealed (median over faults)' . 'order,faults ever revealed %,mutants selected,mutants analysed,tests required,executions of mutants'
    notes rq5
    question rq6
    excerpt rq6 'APFD by mutants selected (percent)' '  all ' "$ordered" 'gains over defect prediction'
    notes rq6
    question rq7
    excerpt rq7 'APFD by the three costs (percent), beside what was printed for CoREBench' '^APFD .mutants selected.  *random .*  all ' "$ordered" 'mutants selected; gains over random'
    notes rq7
}

pages() {
    studies=$1
    {
        sed '/^<!-- results -->$/q' "$out/farm.md"
        echo
        farm
    } >"$out/farm.md.new"
    mv "$out/farm.md.new" "$out/farm.md"
    page indicators.md "$1" indicators
    page criteria.md "$1" criteria
}

case "${1:-}" in
examples) examples ;;
pages) pages "${2:?say where winnow evaluate all wrote its files}" ;;
codeflaws) codeflaws "${2:?say where the folder benchmark of Codeflaws is (docs/codeflaws.md)}" ;;
criteria) criteria "${2:?say where the folder benchmark of Codeflaws is (docs/codeflaws.md)}" ;;
*)
    sed -n '2,19s/^# \{0,1\}//p' "$0" >&2
    exit 1
    ;;
esac
