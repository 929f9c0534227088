#!/bin/sh
# Records faults of C projects of others: of each repository the bug fixes among its commits, with the tests that fail
# without them (winnow import git --fixes), all in one history, build/history-faults.
#
# REPOSITORIES names some (default those of faults.txt beside this script), LAST how many commits of each that changed sources
# and tests are looked at, BUDGET how long the mutants of each fix are run. A repository that was looked at is not looked at again:
# rm build/faults/logs/NAME does it once more. What became of each commit is in that file.
#
# Needs the network and git, unless the repositories are in build/faults/src already, and what the projects need to be built.
set -eu

here=$(dirname "$0")
winnow=$(pwd)/${WINNOW:-build/winnow}
work=build/faults
mkdir -p "$work/src" "$work/logs"
history=$(pwd)/build/history-faults

for repository in ${REPOSITORIES:-$(grep -v '^#' "$here/faults.txt")}; do
    name=${repository##*/}
    log=$(pwd)/$work/logs/$name
    test -e "$log" && continue
    test -e "$work/src/$name" || git clone -q "https://github.com/$repository" "$work/src/$name" || { echo "$name: not fetched"; continue; }
    before=$(ls "$history" 2>/dev/null | wc -l)
    # Commits have no project file: today's is taken for all of them.
    if (cd "$work/src/$name" && { test -e winnow.toml || "$winnow" init .; } &&
        "$winnow" import git --fixes --last "${LAST:-30}" --budget "${BUDGET:-40s}" --out "$history") >"$log.new" 2>&1; then
        mv "$log.new" "$log"
        echo "$name: $(($(ls "$history" 2>/dev/null | wc -l) - before)) faults"
    else
        echo "$name: not looked at ($log.new)"
    fi
done
