#!/bin/sh
# Runs every fuzz target of the module, one after the other, each for the given
# time (go test takes one target at a time), and says at the end which of them found
# something: the input is then a file below that package's testdata/fuzz, and becomes a
# seed with the fix. No process of a target gets more than a gigabyte for its data.
# A table says what each took. Usage: scripts/fuzz.sh [TIME]
set -eu

time=${1:-20s}
targets=$(grep -rn --include='*_test.go' --exclude-dir=build '^func Fuzz' . | sort)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
: > "$scratch/table"

# spent sets cpu to the CPU seconds of all children that have ended.
spent() {
    times > "$scratch/times"
    cpu=$(awk 'NR == 2 { gsub(/[ms]/, " "); printf "%.0f", 60 * $1 + $2 + 60 * $3 + $4 }' "$scratch/times")
}

corpus=$(go env GOCACHE)/fuzz
found=
while IFS=: read -r file _ code; do
    target=${code#func }
    target=${target%%(*}
    package=$(dirname "$file")
    echo "== $target in $package"
    go test -c -fuzz . -o "$scratch/fuzz.test" "$package"
    spent
    before=$cpu
    (
        cd "$package"
        ulimit -d 1048576
        exec "$scratch/fuzz.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" \
            -test.fuzzminimizetime 2s -test.fuzzcachedir "$corpus/$(go list)"
    ) > "$scratch/log" 2>&1 </dev/null || found="$found $package:$target"
    spent
    cat "$scratch/log"
    tried=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$scratch/log" | tail -1)
    echo "$package $target ${tried:-0} $((cpu - before))" >> "$scratch/table"
done <<TARGETS
$targets
TARGETS
awk 'function row(package, target, inputs, cpu) { printf "%-26s %-52s %12s %8s\n", package, target, inputs, cpu }
    BEGIN { row("package", "target", "inputs", "CPU s") }
    { row($1, $2, $3, $4); inputs += $3; cpu += $4 }
    END { row("together", NR, inputs, cpu) }' "$scratch/table"
test -z "$found" || { echo "found something:$found"; exit 1; }
