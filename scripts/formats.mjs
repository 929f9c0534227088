// Holds what winnow writes and serves to the schemas, readers and clients of those who read it
// (scripts/check-formats.sh): node formats.mjs WINNOW RUN PROJECT, in the folder of the reports.
import { readFileSync, readdirSync } from "node:fs";
import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import Ajv from "ajv";
import formats from "ajv-formats";
import { parse } from "junit2json";
import * as msp from "mutation-server-protocol";
import rpc from "vscode-jsonrpc/node.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [winnow, run, project] = process.argv.slice(2);
const json = file => JSON.parse(readFileSync(file));
const say = (what, how) => console.log(what.padEnd(22) + how);

// mutation-testing-elements: the schema of its own package.
{
  const ajv = new Ajv({ strict: false }), dir = "node_modules/mutation-testing-report-schema";
  formats(ajv);
  const file = readdirSync(dir, { recursive: true }).find(f => f.endsWith("mutation-testing-report-schema.json"));
  const check = ajv.compile(json(dir + "/" + file));
  assert.ok(check(json("elements.json")), JSON.stringify(check.errors));
  say("elements.json", "mutation-testing-report-schema: valid");
}

// SARIF 2.1.0: the schema of OASIS.
{
  const ajv = new Ajv({ strict: false }), text = readFileSync("sarif/schema.go.txt", "utf8");
  formats(ajv);
  const schema = JSON.parse(text.slice(text.indexOf("`") + 1, text.lastIndexOf("`")));
  delete schema.$schema; // of a draft that differs in nothing that it uses
  if (schema.id) delete schema.id;
  const check = ajv.compile(schema), log = json("winnow.sarif");
  assert.ok(check(log), JSON.stringify(check.errors));
  say("winnow.sarif", `the schema of OASIS: ${log.runs[0].results.length} results are valid`);
}

// JUnit: there is no schema of its authors'; a reader that CI services use.
{
  const suites = await parse(readFileSync("winnow.xml", "utf8"));
  const cases = suites.testsuite.flatMap(s => s.testcase ?? []);
  assert.ok(cases.length > 0 && cases.some(c => c.failure), "no test case, or none that fails");
  say("winnow.xml", `junit2json: ${cases.length} test cases, ${cases.filter(c => c.failure).length} with gaps`);
}

// GitLab publishes no schema: the fields that its documentation asks for.
{
  const issues = json("gitlab.json"), seen = new Set();
  for (const i of issues) {
    assert.ok(i.description && i.check_name && i.location.path && !i.location.path.startsWith("./") && i.location.lines.begin >= 1, JSON.stringify(i));
    assert.ok(["info", "minor", "major", "critical", "blocker"].includes(i.severity) && !seen.has(i.fingerprint), JSON.stringify(i));
    seen.add(i.fingerprint);
  }
  assert.ok(issues.length > 0, "no issue");
  say("gitlab.json", `${issues.length} issues have the fields that GitLab documents`);
}

// The Mutation Server Protocol: messages by the client's library of Visual Studio Code, what is
// answered held to the protocol's own schemas.
{
  const server = spawn(winnow, ["serve", "stdio", "--project", project], { stdio: ["pipe", "pipe", "inherit"] });
  const line = rpc.createMessageConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  line.listen();
  const told = [];
  line.onNotification("reportMutationTestProgress", p => told.push(msp.MutationTestResult.parse(p)));
  const version = msp.ConfigureResult.parse(await line.sendRequest("configure", {})).version;
  const files = msp.DiscoverResult.parse(await line.sendRequest("discover", { files: [{ path: "bst.c", range: { start: { line: 60, column: 1 }, end: { line: 70, column: 1 } } }] })).files;
  const name = Object.keys(files)[0], mutants = files[name].mutants.slice(0, 3);
  const result = msp.MutationTestResult.parse(await line.sendRequest("mutationTest", { mutants: { [name]: { mutants } } }));
  const statuses = [...told, result].flatMap(r => Object.values(r.files).flatMap(f => f.mutants)).map(m => m.status);
  assert.ok(mutants.length > 0 && statuses.length === 2 * mutants.length, `${statuses.length} results for ${mutants.length} mutants`);
  line.dispose();
  server.kill();
  say("winnow serve", `vscode-jsonrpc and mutation-server-protocol ${version}: ${files[name].mutants.length} mutants, ${statuses.length} results`);
}

// The Model Context Protocol: the client of its official SDK.
{
  const client = new Client({ name: "check-formats", version: "1" });
  await client.connect(new StdioClientTransport({ command: winnow, args: ["mcp", run] }));
  const tools = (await client.listTools()).tools.map(t => t.name).sort();
  const next = await client.callTool({ name: "next", arguments: { k: 2 } });
  assert.ok(tools.includes("check") && !next.isError && next.content.length > 0, JSON.stringify(next));
  await client.close();
  say("winnow mcp", `@modelcontextprotocol/sdk: ${tools.join(", ")}`);
}
