#!/bin/sh
# Holds what winnow writes and serves to those who read it, by their own schemas, readers and clients
# (scripts/formats.mjs; SARIF by the schema of OASIS, which a module of Go has built in). Needs node,
# npm, Go and the network; everything is put below build.
set -eu
cd "$(dirname "$0")/.."
work=build/formats
mkdir -p "$work/sarif"
npm install --silent --no-audit --no-fund --prefix "$work" mutation-testing-report-schema@3 ajv@8 ajv-formats@3 junit2json@3 \
	mutation-server-protocol@0.4 vscode-jsonrpc@8 @modelcontextprotocol/sdk@1
rm -rf "$work/run" "$work/bst"
cp -r examples/bst "$work/bst"
build/winnow run --progress silent --out "$work/run" --functions insert,erase "$work/bst" >/dev/null
build/winnow report "$work/run" --force --elements "$work/elements.json" --sarif "$work/winnow.sarif" --junit "$work/winnow.xml" --gitlab "$work/gitlab.json" >/dev/null

# The schema of OASIS, as a module of Go has it; the module's own check reads a report into its
# types first, and adds what is not valid.
(cd "$work/sarif" && { [ -f go.mod ] || go mod init check >/dev/null 2>&1; } && go get github.com/owenrumney/go-sarif/v3@v3.3.1 >/dev/null 2>&1 &&
	go list -m -f '{{.Dir}}' github.com/owenrumney/go-sarif/v3) >"$work/sarif/module"
cp "$(cat "$work/sarif/module")/pkg/report/v210/sarif/schema.go" "$work/sarif/schema.go.txt"
winnow=$PWD/build/winnow
cp scripts/formats.mjs "$work/formats.mjs"
cd "$work"
node formats.mjs "$winnow" run bst
