#!/bin/sh
# Runs every fuzz target of the module, one after the other, each for the given
# time (go test takes one target at a time). Usage: scripts/fuzz.sh [TIME]
set -eu

time=${1:-20s}
grep -rn --include='*_test.go' '^func Fuzz' . | sort | while IFS=: read -r file _ code; do
    target=${code#func }
    target=${target%%(*}
    echo "== $target in $(dirname "$file")"
    go test "$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "$time" </dev/null
done
