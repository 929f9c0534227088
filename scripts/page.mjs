// Opens a page of winnow report in headless Chromium and uses it as a reader does: clicks, keys, light
// and dark, three widths (scripts/check-page.sh): node page.mjs PAGE LARGEPAGE PICTURES.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import puppeteer from "puppeteer-core";

const [file, large, pictures] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"], protocolTimeout: 120_000 });
const errors = [], asked = [];
const open = async name => {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", e => errors.push(String(e)));
  page.on("request", r => { if (!r.url().startsWith("file:")) asked.push(r.url()); });
  await page.goto("file://" + resolve(name));
  await page.waitForSelector("#rows .row");
  return page;
};
const page = await open(file);
await page.setViewport({ width: 1280, height: 900 });
const text = sel => page.$eval(sel, e => e.textContent);
const rows = async () => parseInt(await text("#count"), 10) || 0;

// A click on a row opens its card; keys go on, and close it.
await page.click("#rows .row");
assert.ok(!await page.$eval("#card", e => e.hidden), "a click on a row opens its card");
const first = await text("#card");
await page.keyboard.press("j");
assert.notEqual(await text("#card"), first, "j goes to the next");
await page.keyboard.press("k");
assert.equal(await text("#card"), first, "k goes back");
await page.keyboard.press("Escape");
assert.ok(await page.$eval("#card", e => e.hidden), "Escape closes it");

// What the tests cover, by criterion: a click opens the table, another the places that none comes to.
const covered = (await page.$$("details.weak"))[1];
await (await covered.$("summary")).click();
const criteria = await covered.$$eval("tbody tr", rows => rows.map(r => [...r.cells].slice(0, 4).map(c => c.textContent)));
assert.ok(criteria.some(([name, tool, all, hit]) => name === "line" && tool === "gcov" && +hit > 0 && +all >= +hit), JSON.stringify(criteria));
await (await covered.$("td summary")).click();
assert.match(await covered.$eval("td details[open] li", e => e.textContent), /bst\.c:[0-9]+/, "a place that no test covers");
await (await covered.$("summary")).click();

// Filters: what became of them, function, operator, text.
const before = await rows();
const chips = await page.$$("#statuses button, #statuses label");
assert.ok(chips.length > 1, "there are chips to filter by");
await chips[0].click();
const without = await rows();
assert.notEqual(without, before, "a chip filters");
await (await page.$$("#statuses button, #statuses label"))[0].click();
assert.equal(await rows(), before, "and again undoes it");
for (const select of ["#function", "#operator"]) {
  const values = await page.$$eval(select + " option", o => o.map(x => x.value));
  await page.select(select, values[1]);
  assert.ok(await rows() < before, select + " filters");
  await page.select(select, values[0]);
  assert.equal(await rows(), before);
}
await page.keyboard.press("/");
await page.keyboard.type("nosuchtext");
await page.waitForFunction(() => /Nothing matches/.test(document.getElementById("count").textContent));

// Light and dark, three widths: nothing is wider than the page.
for (const scheme of ["light", "dark"]) for (const width of [400, 800, 1440]) {
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setViewport({ width, height: 900 });
  await page.reload();
  await page.waitForSelector("#rows .row");
  await page.click("#rows .row");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${scheme}, ${width}: the page is wider than the window`);
  await page.screenshot({ path: `${pictures}/page-${scheme}-${width}.png` });
}
console.log(`clicks, keys, filters, light and dark at 400, 800 and 1440 pixels: as they should be`);

// A hundred thousand mutants, and the small page for comparison: from the start of loading until
// a click has opened a card.
for (const name of [file, large]) {
  const start = performance.now(), page = await open(name);
  await page.click("#rows .row");
  assert.ok(!await page.$eval("#card", e => e.hidden));
  const took = (performance.now() - start) / 1000;
  console.log(`${await page.$eval("#count", e => e.textContent)}: ${took.toFixed(1)} s until a click is answered, ${(statSync(name).size / 1e6).toFixed(1)} MB`);
}
assert.deepEqual([errors, asked], [[], []], "errors of scripts, and what was asked for elsewhere");
await browser.close();
