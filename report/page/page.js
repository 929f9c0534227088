"use strict";
// The page's only script. It reads the run (data.go says how it is written), and draws what
// is seen: rows of the list by their place, lines of the source in pieces.
(() => {
const D = JSON.parse(document.getElementById("data").textContent), M = D.mutants, N = D.ids.length;
// Columns are differences in digits of base 64 (data.go: column).
for (const name in M) {
  const s = M[name], out = new Int32Array(N), digit = new Uint8Array(128);
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((c, n) => digit[c.charCodeAt(0)] = n);
  for (let i = 0, n = 0, bits = 0, shift = 0, last = 0; i < s.length; i++) {
    const d = digit[s.charCodeAt(i)];
    bits += (d & 31) * 2 ** shift; shift += 5;
    if (d & 32) continue;
    last += bits % 2 ? -(bits - 1) / 2 : bits / 2; out[n++] = last; bits = shift = 0;
  }
  M[name] = out;
}
const $ = id => document.getElementById(id);
const MARK = {survived: "●", unreached: "○", unknown: "?", killed: "✓", equivalent: "≡", duplicate: "=", undefined: "!", suppressed: "–", invalid: "×"};
const NAME = {unreached: "not reached"};
const text = (col, i) => D.texts[M[col][i]];
const status = i => D.statuses[M.status[i]];
const el = (tag, cls, txt) => { const e = document.createElement(tag); if (cls) e.className = cls; if (txt !== undefined) e.textContent = txt; return e; };
// change says what gives way to what; of long texts, the part that differs.
const change = i => {
  let a = line(text("from", i)), b = line(text("to", i));
  if (b === ";") return a + " → (deleted)";
  if (a.length + b.length > 44) {
    let p = 0; while (p < a.length && p < b.length && a[p] === b[p]) p++;
    let q = 0; while (q < a.length - p && q < b.length - p && a[a.length - 1 - q] === b[b.length - 1 - q]) q++;
    p = Math.max(0, p - 8); q = Math.max(0, q - 8);
    const cut = s => (p > 1 ? "…" + s.slice(p) : s).slice(0, q > 1 ? -q : undefined) + (q > 1 ? "…" : "");
    a = cut(a); b = cut(b);
  }
  return a + " → " + b;
};
const line = s => s.replace(/\s+/g, " ").trim();

// heads are the rows of the list: the leads of gaps, and each other mutant by itself.
const gapOf = new Int32Array(N).fill(-1), lead = new Uint8Array(N);
D.gaps = D.gaps || [];
D.gaps.forEach((g, n) => { g.forEach(i => gapOf[i] = n); lead[g[0]] = 1; });
const inGapOrder = D.gaps.map(g => g[0]);
const heads = inGapOrder.concat([...Array(N).keys()].filter(i => gapOf[i] < 0));
const alike = i => gapOf[i] < 0 ? [] : D.gaps[gapOf[i]].filter(k => k !== i);

const want = {statuses: new Set(["survived", "unreached", "unknown"].filter(s => D.statuses.includes(s))), fn: -1, op: -1, find: ""};
let shown = [], chosen = -1, fileAt = -1;

function matches(i) {
  if (!want.statuses.has(status(i))) return false;
  if (want.fn >= 0 && M.function[i] !== want.fn || want.op >= 0 && M.operator[i] !== want.op) return false;
  if (!want.find) return true;
  const hay = D.ids[i] + " " + D.files[M.file[i]].name + ":" + M.line[i] + " " + text("function", i) + " " + text("from", i) + " → " + text("to", i);
  return hay.toLowerCase().includes(want.find);
}

function filter() {
  shown = heads.filter(matches);
  // With an operator chosen, a gap whose lead is another operator's still has mutants of it.
  if (want.op >= 0 || want.find) {
    const seen = new Set(shown.map(i => gapOf[i]));
    D.gaps.forEach((g, n) => { if (!seen.has(n)) { const k = g.find(matches); if (k !== undefined) shown.push(k); } });
  }
  let all = 0;
  for (const i of shown) all += 1 + alike(i).length;
  $("count").textContent = shown.length === 0 ? "Nothing matches these filters." : shown.length + (shown.length === 1 ? " row" : " rows") + " for " + all + (all === 1 ? " mutant" : " mutants") + ", those most worth a look first";
  $("rows").style.height = shown.length * H + "px";
  drawList(true);
  byLine.clear();
  if (fileAt >= 0) drawFile(fileAt, true);
}

// The list.
const H = 68, rows = new Map();
function drawList(fresh) {
  const box = $("list"), from = Math.max(0, Math.floor(box.scrollTop / H) - 5), to = Math.min(shown.length, from + Math.ceil(box.clientHeight / H) + 10);
  if (fresh) { rows.forEach(r => r.remove()); rows.clear(); }
  rows.forEach((r, n) => { if (n < from || n >= to) { r.remove(); rows.delete(n); } });
  for (let n = from; n < to; n++) {
    if (!rows.has(n)) { const r = row(n); rows.set(n, r); $("rows").append(r); }
    rows.get(n).setAttribute("aria-selected", shown[n] === chosen);
  }
}
function row(n) {
  const i = shown[n], r = el("div", "row"), what = el("div", "what"), more = alike(i).length;
  r.style.top = n * H + "px"; r.setAttribute("role", "option"); r.id = "row" + n; r.dataset.id = D.ids[i];
  const mark = el("span", "mark " + status(i), MARK[status(i)]); mark.title = NAME[status(i)] || status(i);
  what.append(mark, change(i));
  r.append(what, el("div", "where", D.files[M.file[i]].name + ":" + M.line[i] + " " + text("function", i) + (more ? " · +" + more + " alike" : "")), el("div", "where", text("why", i)));
  r.addEventListener("click", () => choose(i, true));
  return r;
}
const place = () => shown.indexOf(chosen);
function step(by) {
  if (!shown.length) return;
  const n = Math.max(0, Math.min(shown.length - 1, place() + by));
  choose(shown[n], true);
}

// The source, in pieces that are filled when they come near.
const byLine = new Map(); // by file: the mutants to show, by line
function linesOf(f) {
  if (byLine.has(f)) return byLine.get(f);
  const at = new Map();
  for (const i of shown) if (M.file[i] === f) { const l = M.line[i]; at.has(l) ? at.get(l).push(i) : at.set(l, [i]); }
  byLine.set(f, at);
  return at;
}
const PIECE = 100;
let watcher, pieces = [], text_ = [];
function drawFile(f, again) {
  if (f === fileAt && !again) return;
  const keep = again ? $("source").scrollTop : 0;
  fileAt = f; $("file").value = f;
  if (watcher) watcher.disconnect();
  $("source").replaceChildren(); pieces = [];
  text_ = D.files[f].text.split("\n");
  if (!D.files[f].text) {
    const at = [...linesOf(f).keys()]; text_ = Array(Math.max(0, ...at)).fill("");
    $("source").append(el("p", "dim", "The run does not have this file's text: record it again with this version of winnow."));
  }
  watcher = new IntersectionObserver(seen => seen.forEach(s => { if (s.isIntersecting) fill(s.target.dataset.n | 0); }), {root: $("source"), rootMargin: "800px"});
  for (let n = 0; n * PIECE < text_.length; n++) {
    const p = el("div"); p.dataset.n = n;
    let extra = 0; for (let l = n * PIECE + 1; l <= (n + 1) * PIECE; l++) if (linesOf(f).has(l)) extra++;
    p.style.minHeight = (Math.min(PIECE, text_.length - n * PIECE) + extra) * 1.5 + "em";
    $("source").append(p); pieces.push(p); watcher.observe(p);
  }
  $("source").scrollTop = keep;
}
function fill(n) {
  const p = pieces[n]; if (!p || p.firstChild) return;
  const out = document.createDocumentFragment(), at = linesOf(fileAt);
  for (let l = n * PIECE + 1; l <= Math.min((n + 1) * PIECE, text_.length); l++) {
    const d = el("div", "ln"), here = at.get(l) || [];
    d.id = "L" + l;
    let total = 0; for (const i of here) total += 1 + alike(i).length;
    d.append(el("span", "no", l), el("span", "cnt mark " + (here.length ? status(here[0]) : ""), here.length ? MARK[status(here[0])] + total : ""), el("pre", "", text_[l - 1]));
    if (here.length) d.classList.add("has");
    out.append(d);
    if (here.length) out.append(inline(here));
  }
  p.replaceChildren(out); p.style.minHeight = "";
}
function inline(here) {
  const i = here.includes(chosen) ? chosen : here[0], s = status(i), b = el("button", "in " + (["survived", "unreached", "killed"].includes(s) ? s : "other"));
  let more = -1; for (const k of here) more += 1 + alike(k).length;
  b.type = "button"; b.dataset.id = D.ids[i];
  b.append(el("span", "mark " + s, MARK[s]), change(i), el("span", "dim", (more ? " +" + more + " more · " : " · ") + text("why", i)));
  b.setAttribute("aria-current", i === chosen);
  b.addEventListener("click", () => choose(here.length > 1 && i === chosen ? here[(here.indexOf(i) + 1) % here.length] : i, false));
  return b;
}

// One mutant.
function choose(i, scroll) {
  const before = chosen; chosen = i;
  drawFile(M.file[i]);
  card(i);
  const n = place();
  if (n >= 0) {
    const box = $("list"), top = n * H;
    if (top < box.scrollTop) box.scrollTop = top; else if (top + H > box.scrollTop + box.clientHeight) box.scrollTop = top + H - box.clientHeight;
    box.setAttribute("aria-activedescendant", "row" + n);
  }
  drawList();
  const p = Math.floor((M.line[i] - 1) / PIECE);
  for (const q of new Set([p - 1, p, p + 1])) if (pieces[q]) fill(q);
  document.querySelectorAll(".ln.at").forEach(e => e.classList.remove("at"));
  document.querySelectorAll(".in[aria-current=true]").forEach(e => e.setAttribute("aria-current", false));
  const at = $("L" + M.line[i]);
  if (at) {
    at.classList.add("at");
    const here = linesOf(fileAt).get(M.line[i]);
    if (here && at.nextSibling && at.nextSibling.classList.contains("in")) at.nextSibling.replaceWith(inline(here));
    if (scroll) $("source").scrollTop = at.offsetTop - $("source").offsetTop - $("source").clientHeight / 3;
  }
  if (before !== i) history.replaceState(null, "", "#" + D.ids[i]);
}
function card(i) {
  const c = $("card"), s = status(i), close = el("button", "close", "Close");
  close.type = "button"; close.addEventListener("click", closeCard);
  const say = [MARK[s] + " " + (NAME[s] || s) + ": " + text("why", i) + "."];
  const h = el("h2", "", D.files[M.file[i]].name + ":" + M.line[i] + ":" + M.column[i] + " in " + text("function", i));
  c.replaceChildren(close, h, el("p", "", say[0]), diff(i));
  const unit = text("test", i);
  if (unit) c.append(el("p", "", "A unit test that the original passes:"), el("div", "diff unit", unit));
  const p = [];
  if (M.rank[i]) p.push("rank " + M.rank[i]);
  if (M.pfault[i] >= 0) p.push("predicted to reveal a fault " + (M.pfault[i] / 10).toFixed(1) + " %");
  if (M.pkill[i] >= 0) p.push("predicted to be killable " + (M.pkill[i] / 10).toFixed(1) + " %");
  p.push("operator " + text("operator", i), "id " + D.ids[i]);
  c.append(el("p", "dim", p.join(" · ")));
  for (const [col, what] of [["kill", "Killed by"], ["infected", "May compute something else in"], ["reached", "Run by"]]) {
    const t = tests(M[col][i]); if (!t) continue;
    const d = el("details"), ul = el("ul", "tests");
    d.append(el("summary", "", what + " " + t.total + (t.total === 1 ? " test" : " tests")));
    t.names.forEach(n => ul.append(el("li", "", n)));
    if (t.total > t.names.length) ul.append(el("li", "dim", "… and " + (t.total - t.names.length) + " more"));
    d.append(ul); c.append(d);
  }
  const more = alike(i);
  if (more.length) {
    const box = el("div", "alike");
    for (const k of more.slice(0, 30)) {
      const b = el("button", "", change(k));
      b.type = "button"; b.addEventListener("click", () => { card(k); history.replaceState(null, "", "#" + D.ids[k]); }); box.append(b);
    }
    c.append(el("p", "", "Alike: the same tests come as near to these, and one test is likely to tell all."), box);
    if (more.length > 30) c.append(el("p", "dim", "… and " + (more.length - 30) + " more"));
  }
  c.hidden = false; c.scrollTop = 0;
}
function closeCard() { $("card").hidden = true; }
function tests(set) {
  if (set < 0) return null;
  const [total, list] = D.sets[set].split(":"), names = [];
  for (const part of list ? list.split(",") : []) {
    const [a, b] = part.split("-").map(Number);
    for (let t = a; t <= (b === undefined ? a : b); t++) names.push(D.tests[t]);
  }
  return {total: +total, names};
}
function diff(i) {
  const box = el("div", "diff"), src = D.files[M.file[i]].text, start = M.start[i], end = M.end[i];
  if (start < 0) { box.append(el("div", "del", "- " + line(text("from", i))), el("div", "ins", "+ " + line(text("to", i)))); box.append(el("div", "dim", "  No change of the C text does exactly this.")); return box; }
  const put = text("text", i), a = src.lastIndexOf("\n", start - 1) + 1; let b = src.indexOf("\n", end); if (b < 0) b = src.length;
  const first = src.slice(0, a).split("\n").length, before = src.slice(0, a).split("\n").slice(-3, -1), after = src.slice(b + 1).split("\n").slice(0, 2);
  box.append(el("div", "dim", "@@ line " + first + " @@"));
  before.forEach(l => box.append(el("div", "", "  " + l)));
  const old = src.slice(start, end);
  let p = 0; while (p < old.length && p < put.length && old[p] === put[p]) p++;
  let q = 0; while (q < old.length - p && q < put.length - p && old[old.length - 1 - q] === put[put.length - 1 - q]) q++;
  const side = (sign, cls, mid) => {
    const d = el("div", cls); d.append(sign + " " + src.slice(a, start) + mid.slice(0, p), el("mark", "", mid.slice(p, mid.length - q)), mid.slice(mid.length - q) + src.slice(end, b));
    // A change of several lines has its sign before each.
    if (mid.includes("\n") || src.slice(start, end).includes("\n")) { d.replaceChildren(); (src.slice(a, start) + mid + src.slice(end, b)).split("\n").forEach(l => d.append(el("div", "", sign + " " + l))); d.style.padding = 0; }
    return d;
  };
  box.append(side("-", "del", old), side("+", "ins", put));
  after.forEach(l => box.append(el("div", "", "  " + l)));
  return box;
}

// The controls.
function controls() {
  const count = {}; for (let i = 0; i < N; i++) count[status(i)] = (count[status(i)] || 0) + 1;
  for (const s of D.statuses) {
    if (!count[s]) continue;
    const b = el("button", "", MARK[s] + " " + (NAME[s] || s) + " " + count[s]); b.type = "button"; b.dataset.status = s;
    b.setAttribute("aria-pressed", want.statuses.has(s));
    b.addEventListener("click", () => { want.statuses.has(s) ? want.statuses.delete(s) : want.statuses.add(s); b.setAttribute("aria-pressed", want.statuses.has(s)); filter(); });
    $("statuses").append(b);
  }
  const names = (col, id, key) => {
    const used = new Set(M[col]);
    [...used].map(t => [D.texts[t], t]).sort((a, b) => a[0] < b[0] ? -1 : 1).forEach(([n, t]) => { const o = el("option", "", n); o.value = t; $(id).append(o); });
    $(id).addEventListener("change", () => { want[key] = $(id).value === "" ? -1 : +$(id).value; filter(); });
  };
  names("function", "function", "fn"); names("operator", "operator", "op");
  D.files.forEach((f, n) => { const o = el("option", "", f.name); o.value = n; $("file").append(o); });
  $("file").addEventListener("change", () => { closeCard(); drawFile(+$("file").value); });
  let later; $("find").addEventListener("input", () => { clearTimeout(later); later = setTimeout(() => { want.find = $("find").value.trim().toLowerCase(); filter(); }, 120); });
  $("filters").addEventListener("submit", e => e.preventDefault());
  $("list").addEventListener("scroll", () => drawList()); addEventListener("resize", () => drawList());
  document.querySelectorAll("button.fn").forEach(b => b.addEventListener("click", () => { const t = D.texts.indexOf(b.dataset.function); $("function").value = t; want.fn = t; filter(); $("list").focus(); $("app").scrollIntoView(); if (shown.length) choose(shown[0], true); }));
  addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = /INPUT|SELECT/.test(document.activeElement.tagName);
    if (e.key === "Escape") { if (typing) document.activeElement.blur(); else closeCard(); return; }
    if (typing) return;
    const inList = document.activeElement === $("list");
    if (e.key === "j" || inList && e.key === "ArrowDown") step(1);
    else if (e.key === "k" || inList && e.key === "ArrowUp") step(-1);
    else if (e.key === "/") $("find").focus();
    else if (e.key === "Enter" && inList) { if (chosen < 0) step(1); $("source").focus(); }
    else return;
    e.preventDefault();
  });
}
controls();
$("app").hidden = false;
filter();
const linked = D.ids.indexOf(location.hash.slice(1));
if (linked >= 0) {
  const chip = document.querySelector(`[data-status="${status(linked)}"][aria-pressed=false]`);
  if (chip) chip.click();
  choose(linked, true);
}
else if (shown.length) { drawFile(M.file[shown[0]]); choose(shown[0], true); history.replaceState(null, "", location.pathname + location.search); }
else drawFile(0);
document.documentElement.dataset.ready = "yes";
})();
