#!/bin/sh
# Trains the released model of real projects (models/released/projects) on the kills of
# packages by their own tests (record-projects.sh), and prints how good models are on projects
# left out, and how good the model of Codeflaws is on the same mutants.
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
command -v zstd >/dev/null || { echo 'released models are compressed: apt-get install zstd' >&2; exit 1; }
"$winnow" evaluate "$history" --by program --folds 100 --details >docs/results/projects-model.txt
"$winnow" evaluate "$history" --model codeflaws --details >docs/results/projects-codeflaws.txt
rm -rf models/released/projects
"$winnow" train "$history" --by program --folds 100 --out models/released/projects --name projects \
    --data "kills of C packages of Debian 12 by their own tests, recorded by winnow init and winnow run --matrix --no-prove --budget ${BUDGET:-60s}; no fault is known of any" \
    --created-by 'make model-projects' >/dev/null
zstd -q -19 --rm models/released/projects/*.txt
