#!/bin/sh
# Trains the released model of real projects (models/released/projects): fetches C packages
# of Debian 12, has winnow init and winnow run record which mutants their own tests kill,
# and trains on the kills; no fault is known of any. It prints how good models are on
# projects left out, and how good the model of Codeflaws is on the same mutants.
#
# PROJECTS names packages (default those below), BUDGET is winnow run's for each. What was
# recorded before is kept: rm -r build/history-projects/NAME records it again. A project
# whose tests kill fewer than 20 of the mutants that were run is left out.
#
# Needs the network, apt-get, dpkg-source (package dpkg-dev) and zstd. As root it also
# installs what the projects need to be built; otherwise that must be there.
set -eu

. "$(dirname "$0")/debian-source.sh"
winnow=$(pwd)/${WINNOW:-build/winnow}
work=build/projects
history=build/history-projects
least=20
mkdir -p "$work/src" "$history" "$work/logs"
command -v zstd >/dev/null || { echo 'released models are compressed: apt-get install zstd' >&2; exit 1; }

for name in ${PROJECTS:-$(grep -v '^#' "$(dirname "$0")/model-projects.txt")}; do
    test -d "$history/$name" && continue
    if ! ls -d "$work/src/$name"-*/ >/dev/null 2>&1; then
        debian_source "$work" "$name"
        test "$(id -u)" != 0 || (apt_ build-dep -y "$name") || echo "$name: what it needs was not installed" >&2
    fi
    source=$(ls -d "$work/src/$name"-*/ | head -1)
    rm -rf "$work/one"
    cp -r "$source" "$work/one"
    log=$(pwd)/$work/logs/$name
    out=$(pwd)/$history/$name
    # A run whose time was up (3) has decided what it could.
    if (cd "$work/one" && "$winnow" init . && { "$winnow" run . --budget "${BUDGET:-100s}" --out "$out" || test $? = 3; }) >"$log" 2>&1; then
        killed=$(cat "$out"/*/manifest.json | sed -n 's/.*"killed": \([0-9]*\).*/\1/p' | awk "{n += \$1} END {print n + 0}")
        echo "$name: $killed killed"
        test "$killed" -ge "$least" || rm -r "$out"
    else
        echo "$name: not recorded ($log)"
        rm -rf "$out"
    fi
done
rm -rf "$work/one"

"$winnow" evaluate "$history" --by program --folds 100 --details >docs/results/projects-model.txt
"$winnow" evaluate "$history" --model codeflaws --details >docs/results/projects-codeflaws.txt
rm -rf models/released/projects
"$winnow" train "$history" --by program --folds 100 --out models/released/projects --name projects \
    --data "kills of C packages of Debian 12 by their own tests, recorded by winnow init and winnow run --budget ${BUDGET:-100s}; no fault is known of any" \
    --created-by 'make model-projects' >/dev/null
zstd -q -19 --rm models/released/projects/*.txt
