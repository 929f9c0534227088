#!/bin/sh
# What a kill matrix of a hundred million cells costs: its size, the time to write and
# to read it, and the time of three questions that DuckDB answers from the file. DuckDB
# is the command duckdb where it is on PATH, or the package @duckdb/node-api, which npm
# fetches into a folder that goes away.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go test -run '^$' -bench HundredMillionCells -benchtime "${TIMES:-3}x" ./matrix/kill -keep "$work"

cat >"$work/questions.sql" <<EOF
SELECT cause, count(*) AS pairs FROM '$work/kills.parquet' WHERE verdict = 1 GROUP BY cause ORDER BY pairs DESC;
SELECT count(*) AS killed_mutants FROM (SELECT id FROM '$work/kills.parquet' GROUP BY id HAVING max(verdict) = 1);
SELECT test_name, count(*) FILTER (verdict = 1) AS kills FROM '$work/kills.parquet' GROUP BY test_name ORDER BY kills DESC, test_name LIMIT 3;
EOF
if command -v duckdb >/dev/null; then
    duckdb -cmd '.timer on' <"$work/questions.sql"
elif command -v npm >/dev/null; then
    (cd "$work" && npm install --silent --no-fund --no-audit @duckdb/node-api@1.5.6-r.1 >&2)
    cat >"$work/ask.js" <<'EOF'
const fs = require('fs'), { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  console.log('DuckDB', (await db.runAndReadAll('SELECT version()')).getRowsJson()[0][0]);
  for (const question of fs.readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
    const start = performance.now(), rows = (await db.runAndReadAll(question)).getRowsJson();
    console.log(`${(performance.now() - start).toFixed(0)} ms: ${question.replace(/'[^']*\//, "'")}`);
    for (const row of rows) console.log('    ' + row.join(' | '));
  }
})();
EOF
    node "$work/ask.js" "$work/questions.sql"
else
    echo "DuckDB was not asked: neither duckdb nor npm is on PATH"
fi
