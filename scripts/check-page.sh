#!/bin/sh
# Uses the page of winnow report in headless Chromium (scripts/page.mjs): of a run of an example,
# and of 100,000 mutants. Needs chromium (CHROMIUM names another one), node, npm and the network.
set -eu
cd "$(dirname "$0")/.."
work=build/page
mkdir -p "$work"
npm install --silent --no-audit --no-fund --prefix "$work" puppeteer-core@24
rm -rf "$work/run"
build/winnow run --progress silent --out "$work/run" --functions insert,erase examples/bst >/dev/null
build/winnow report "$work/run" --force --html "$work/page.html" >/dev/null
WINNOW_PAGE=$PWD/$work/large.html go test -count 1 -run AHundredThousand ./report/page
cp scripts/page.mjs "$work/page.mjs"
cd "$work"
node page.mjs page.html large.html .
