// Has the viewer of mutation-testing-elements show a report of winnow in headless Chromium, as the
// dashboards of Stryker do (scripts/check-page.sh): node viewer.mjs REPORT PICTURES. What it shows
// must be what the report has.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import puppeteer from "puppeteer-core";

const [file, pictures] = process.argv.slice(2);
const report = JSON.parse(readFileSync(file));
const script = readFileSync("node_modules/mutation-testing-elements/dist/mutation-test-elements.js", "utf8").replaceAll("</script", "<\\/script");
writeFileSync("viewer.html", `<!DOCTYPE html><meta charset="utf-8"><body><mutation-test-report-app title-postfix="winnow"></mutation-test-report-app>
<script>${script}</script>
<script>document.querySelector("mutation-test-report-app").report = ${JSON.stringify(report).replaceAll("<", "\\u003c")}</script></body>`);
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"], protocolTimeout: 120_000 });
const errors = [], page = await browser.newPage();
page.on("pageerror", e => errors.push(String(e)));
await page.setViewport({ width: 1280, height: 900 });
// All text, through the shadow roots of the viewer's parts.
const shown = () => page.evaluate(() => {
  const texts = [], walk = node => {
    if (node.nodeType === 3) texts.push(node.data);
    if (node.shadowRoot) walk(node.shadowRoot);
    if (!/^(STYLE|SCRIPT)$/.test(node.nodeName)) node.childNodes.forEach(walk);
  };
  walk(document.body);
  return texts.join(" ").replace(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")");
});
const until = async (what, good) => {
  let text = "";
  for (let n = 0; n < 100; n++) {
    text = await shown();
    if (good(text)) return text;
    await new Promise(r => setTimeout(r, 100));
  }
  assert.fail(`the viewer does not show ${what}: ${text.slice(0, 600)}`);
};
const mutants = Object.values(report.files).flatMap(f => f.mutants), count = s => mutants.filter(m => m.status === s).length;
const score = (100 * count("Killed") / (count("Killed") + count("Survived") + count("NoCoverage"))).toFixed(2);
await page.goto("file://" + resolve("viewer.html"));
await until("the score", text => text.includes(score));
await page.screenshot({ path: `${pictures}/viewer.png` });
const [name] = Object.keys(report.files);
await page.goto("file://" + resolve("viewer.html") + "#mutant/" + name);
const text = await until("the source", t => t.includes("Survived (" + count("Survived") + ")"));
for (const status of ["Killed", "Survived", "Ignored"]) {
  if (count(status)) assert.ok(text.includes(`${status} (${count(status)})`), `${status}: ${count(status)} are in the report`);
}
await page.screenshot({ path: `${pictures}/viewer-source.png` });
assert.deepEqual(errors, [], "errors of scripts");
await browser.close();
console.log(`viewer of mutation-testing-elements: ${mutants.length} mutants of ${Object.keys(report.files).length} files, score ${score}`);
