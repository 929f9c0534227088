#!/bin/sh
# What winnow makes, byte for byte: rank --format json of each example (or of each of
# C="FILE...") and of PROGRAMS programs of the folder CODEFLAWS, run --faults of the projects
# EXAMPLES, and train on what that recorded, by this tree with one worker and with two. With
# BASE, a commit, also by winnow as it was there, with two. Says which files differ, and ends
# with 1 where any does. Of manifests, how long stages took is left out.
#
# A model that was trained anew ranks differently: MODEL, a folder that winnow train wrote,
# or the name of a released model that has stayed, ranks with the same one.
set -eu
cd "$(dirname "$0")/.."
out=$PWD/build/bytes
rm -rf "$out"
mkdir -p "$out"

# built NAME: the tree that one is in, under a version that is the same for all.
built() { go build -trimpath -buildvcs=false -ldflags '-X main.version=bytes' -o "$out/$1" ./cmd/winnow; }

programs=${C:-$(ls examples/*/*.c)}
[ -z "${CODEFLAWS:-}" ] || programs="$programs $(find "$CODEFLAWS" -name '*.c' ! -path '*/.*' | sort |
    awk -v n="${PROGRAMS:-50}" '{ all[NR] = $0 } END { if (NR < n) n = NR; for (i = 0; i < n; i++) print all[int(i * NR / n) + 1] }')"

# made BINARY WORKERS: everything, in the folder BINARY.WORKERS.
made() {
    to=$out/$1.$2
    mkdir -p "$to/rank"
    for c in $programs; do
        # One that does not compile is the same on both sides, too.
        "$out/$1-winnow" rank --format json --progress silent --workers "$2" ${MODEL:+--model "$MODEL"} "$c" \
            >"$to/rank/$(echo "$c" | tr / _).json" 2>"$to/error" || echo "status $?" >>"$to/rank/$(echo "$c" | tr / _).json"
    done
    rm -f "$to/error"
    # shellcheck disable=SC2086 # names of folders of ours
    "$out/$1-winnow" run --faults --progress silent --workers "$2" --out "$to/history" ${EXAMPLES:-examples/calendar examples/codec examples/bst} >/dev/null
    "$out/$1-winnow" train "$to/history" --progress silent --workers "$2" --out "$to/model" >/dev/null
    find "$to/history" -name manifest.json -exec sed -i '/"seconds":/d' {} +
    sed -i "s|$to/||g" "$to/model/card.json" "$to/model/README.md" # which name the command
}

status=0
same() {
    files=$(cd "$out/$1" && find . -type f | wc -l)
    if diff -rq "$out/$1" "$out/$2" >"$out/differ"; then
        echo "$1 and $2: $files files, all the same"
    else
        cat "$out/differ"
        echo "$1 and $2: $(wc -l <"$out/differ") of $files files differ"
        status=1
    fi
}

built here-winnow
made here 1
made here 2
same here.1 here.2
if [ -n "${BASE:-}" ]; then
    mkdir "$out/source"
    git archive "$BASE" | tar -x -C "$out/source"
    (cd "$out/source" && built base-winnow)
    made base 2
    same base.2 here.2
fi
exit $status
