#!/bin/sh
# Runs every fuzz target of the module, one after the other, each for the given
# time (go test takes one target at a time), and says at the end which of them found
# something: the input is then a file below that package's testdata/fuzz, and becomes a
# seed with the fix. Usage: scripts/fuzz.sh [TIME]
set -eu

time=${1:-20s}
found=
targets=$(grep -rn --include='*_test.go' --exclude-dir=build '^func Fuzz' . | sort)
while IFS=: read -r file _ code; do
    target=${code#func }
    target=${target%%(*}
    echo "== $target in $(dirname "$file")"
    go test "$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 2s </dev/null || found="$found $(dirname "$file"):$target"
done <<EOF
$targets
EOF
test -z "$found" || { echo "found something:$found"; exit 1; }
