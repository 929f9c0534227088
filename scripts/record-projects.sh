#!/bin/sh
# Records which mutants of C projects of others their own tests kill: fetches packages of
# Debian 12 and gives each to winnow init and winnow run, unchanged. No fault is known of any.
#
# PROJECTS names packages (default those of projects-sealed.txt and projects.txt beside this
# script), BUDGET is winnow run's for each. What was recorded before is kept, in
# build/history-projects and, of ten of the sealed, build/history-sealed: rm -r
# build/history-projects/NAME records it again. A project whose tests kill fewer than 20 of the mutants that were run is left out;
# why, and why another was not recorded, is in build/projects/logs/NAME. FETCH=only fetches.
#
# Needs the network, apt-get and dpkg-source (package dpkg-dev). As root it also installs what
# the projects need to be built; otherwise that must be there.
set -eu

here=$(dirname "$0")
. "$here/debian-source.sh"
winnow=$(pwd)/${WINNOW:-build/winnow}
work=build/projects
least=20
mkdir -p "$work/src" "$work/logs" build/history-projects build/history-sealed

# fetch NAME unpacks the package's source, and installs what it takes to build it.
fetch() {
    ls -d "$work/src/$1"-[0-9]*/ >/dev/null 2>&1 || debian_source "$work" "$1" || return 1
    debian_needs "$work" "$1"
}

# record NAME FOLDER writes the project's history to FOLDER/NAME.
record() {
    copy=$work/copies/$1
    rm -rf "$copy"
    mkdir -p "$work/copies"
    cp -a "$(ls -d "$work/src/$1"-[0-9]*/ | head -1)" "$copy"
    log=$(pwd)/$work/logs/$1
    out=$(pwd)/$2/$1
    # A run whose time was up (3) has decided what it could, or not begun to.
    if (cd "$copy" && "$winnow" init . && { "$winnow" run . --matrix --no-prove --budget "${BUDGET:-60s}" --out "$out" || test $? = 3; }) >"$log" 2>&1; then
        killed=$(cat "$out"/*/manifest.json 2>/dev/null | sed -n 's/.*"killed": \([0-9]*\).*/\1/p' | awk "{n += \$1} END {print n + 0}")
        echo "$1: $killed killed"
        test "$killed" -ge "$least" || rm -rf "$out"
    else
        echo "$1: not recorded ($log)"
        rm -rf "$out"
    fi
    rm -rf "$copy"
}

for name in ${PROJECTS:-$(grep -hv '^#' "$here/projects-sealed.txt" "$here/projects.txt")}; do
    history=build/history-projects
    if grep -qx "$name" "$here/projects-sealed.txt"; then
        history=build/history-sealed
        test "$(ls "$history" | wc -l)" -lt 10 || continue
    fi
    fetch "$name" || { echo "$name: not fetched"; continue; }
    test "${FETCH:-}" = only || test -d "$history/$name" || record "$name" "$history"
done
