#!/bin/sh
# Uses the page of winnow report in headless Chromium (scripts/page.mjs): of a run of an example,
# and of 100,000 mutants; and has the viewer of mutation-testing-elements, which the dashboards of
# Stryker are made of, show the run's JSON (scripts/viewer.mjs). Needs chromium (CHROMIUM names another one), node, npm and the network.
set -eu
cd "$(dirname "$0")/.."
work=build/page
mkdir -p "$work"
npm install --silent --no-audit --no-fund --prefix "$work" puppeteer-core@24 mutation-testing-elements@3
rm -rf "$work/run"
build/winnow run --progress silent --criteria gcov --out "$work/run" --functions insert,erase examples/bst >/dev/null
build/winnow report "$work/run" --force --html "$work/page.html" --elements "$work/elements.json" >/dev/null
WINNOW_PAGE=$PWD/$work/large.html go test -count 1 -run AHundredThousand ./report/page
cp scripts/page.mjs scripts/viewer.mjs "$work"
cd "$work"
node page.mjs page.html large.html .
node viewer.mjs elements.json .
