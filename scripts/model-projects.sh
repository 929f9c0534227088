#!/bin/sh
# Trains the released model of real projects (models/released/projects) on the kills of
# packages by their own tests (record-projects.sh), and prints how good models are on projects
# left out, and how good the model of Codeflaws is on the same mutants.
#
# COMPARE=COMMIT does nothing but judge the model that was released at that commit, and the way of
# training of today, on projects that the first release had not seen: every second of these by a
# model of all others, and the rest likewise.
#
# Sealed projects have no part in that: SEALED=judge judges the released models on them, and
# does nothing else.
set -eu

winnow=$(pwd)/${WINNOW:-build/winnow}
history=build/history-projects
sealed=build/history-sealed
if test "${SEALED:-}" = judge; then
    for model in projects codeflaws; do
        "$winnow" evaluate "$sealed" --model "$model" --details >"docs/results/sealed-$model.txt"
    done
    exit
fi
if test -n "${COMPARE:-}"; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/1" "$work/2" "$work/others1" "$work/others2"
    git archive "$COMPARE" models/released/projects | tar -x -C "$work"
    zstd -q -d --rm "$work"/models/released/projects/*.zst
    half=1
    for path in "$history"/*; do
        name=$(basename "$path")
        if sed '/^# Of the others/q' scripts/projects.txt | grep -qx "$name"; then
            cp -r "$path" "$work/others1"
            cp -r "$path" "$work/others2"
        else
            cp -r "$path" "$work/$half"
            half=$((3 - half))
            cp -r "$path" "$work/others$half"
        fi
    done
    for half in 1 2; do
        "$winnow" train "$work/others$half" --by program --folds 2 --progress silent --out "$work/new$half" >/dev/null 2>&1
        for model in "$work/models/released/projects" "$work/new$half"; do
            echo "half $half: $(ls "$work/$half" | wc -l) projects, by the model of $(sed -n 's/^  "programs": \([0-9]*\),/\1/p' "$model/card.json")"
            "$winnow" evaluate "$work/$half" --model "$model" --progress silent 2>/dev/null | sed -n '/^model/p;/^killable *[0-9]/p'
        done
    done
    exit
fi
command -v zstd >/dev/null || { echo 'released models are compressed: apt-get install zstd' >&2; exit 1; }
"$winnow" evaluate "$history" --by program --folds 100 --details >docs/results/projects-model.txt
"$winnow" evaluate "$history" --model codeflaws --details >docs/results/projects-codeflaws.txt
rm -rf models/released/projects
"$winnow" train "$history" --by program --folds 100 --out models/released/projects --name projects --version 4 \
    --data "kills of C packages of Debian 12 by their own tests, recorded by winnow init and winnow run --matrix --no-prove --budget ${BUDGET:-60s}; no fault is known of any" \
    --created-by 'make model-projects' >/dev/null
zstd -q -19 --rm models/released/projects/*.txt
