#!/bin/sh
# The pictures of README.md, in docs/pictures: the list of winnow rank as a terminal shows it,
# the page of winnow report in Chromium without a window, and what the first mutants are worth
# (docs/results/first-twenty.md). Needs chromium.
set -eu
cd "$(dirname "$0")/.."
winnow=$PWD/build/winnow
draw=$PWD/build/drawpictures
work=build/pictures
out=docs/pictures
rm -rf "$work"
mkdir -p "$work" "$out"
go build -buildvcs=false -o "$draw" ./cmd/drawpictures

(cd examples/calendar && "$winnow" rank --top 8 calendar.c) >"$work/rank.txt"
"$draw" terminal 'winnow rank --top 8 calendar.c' <"$work/rank.txt" >"$out/rank.svg"

"$winnow" run --progress silent --out "$work/run" examples/calendar >/dev/null
"$winnow" report "$work/run" --html "$work/page.html" >/dev/null
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=1000,620 --screenshot="$work/page.png" "file://$PWD/$work/page.html" 2>/dev/null
"$draw" palette <"$work/page.png" >"$out/page.png"

"$draw" lists <docs/results/first-twenty.md >"$out/lists.svg"
ls -l "$out"
