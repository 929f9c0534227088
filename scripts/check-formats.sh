#!/bin/sh
# Holds what winnow report writes to the schema of mutation-testing-elements, as its own package
# has it. Needs node, npm and the network; everything is put below build.
set -eu
cd "$(dirname "$0")/.."
work=build/formats
mkdir -p "$work"
npm install --silent --no-audit --no-fund --prefix "$work" mutation-testing-report-schema@3 ajv@8 ajv-formats@3
rm -rf "$work/run"
build/winnow run --progress silent --out "$work/run" --functions insert,erase examples/bst >/dev/null
build/winnow report "$work/run" --force --elements "$work/elements.json" >/dev/null
cd "$work"
node -e '
const fs = require("fs"), Ajv = require("ajv"), ajv = new Ajv({strict: false});
require("ajv-formats")(ajv);
const find = dir => fs.readdirSync(dir, {recursive: true}).find(f => f.endsWith("mutation-testing-report-schema.json"));
const dir = "node_modules/mutation-testing-report-schema", check = ajv.compile(JSON.parse(fs.readFileSync(dir + "/" + find(dir))));
if (!check(JSON.parse(fs.readFileSync("elements.json")))) { console.error(check.errors); process.exit(1); }
console.log("elements.json is a mutation testing report");
'
