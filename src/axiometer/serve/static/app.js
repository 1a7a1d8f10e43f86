// The page: one state (board, keys, masters, settings), which is also its address. A change asks
// the server at once for a first look, and for the whole answer and the curve when it rests.

import { ask, newest } from "./ask.js";
import * as answer from "./answer.js";
import { choices, make, ports, sliders } from "./controls.js";
import { drawn } from "./curve.js";
import { ready } from "./own.js";
import * as link from "./link.js";
import { another, list } from "./masters.js";

const REST_MS = 250;
const AT_ONCE = 2;
const at = (id) => document.getElementById(id);

let state = { board: "", keys: {}, masters: [], more: [], along: "" };
let first = "";
let latest = null; // the latest description of the controls
let shown = null; // the answer that stands on the page
let resting = 0;
const curve = { key: "", of: null, points: new Map() };

const question = () => ({ board: state.board, keys: state.keys, masters: state.masters, more: state.more });

// ---- answers -----------------------------------------------------------------------------------

const look = newest((signal) => asked(signal, false), false);
const settle = newest((signal) => asked(signal, true), true);

async function asked(signal, whole) {
  const of = JSON.stringify(question());
  const { keys } = state;
  const found = await ask("/api/point", { ...question(), whole }, signal);
  const late = of !== JSON.stringify(question());
  // An answer to an earlier question must not replace a later one; a first look may lag behind.
  if (whole && late) return;
  if (!whole && shown?.whole && shown.of === of) return;
  if (found.controls && !late) describe(found.controls);
  const others = document.querySelectorAll("#messages .about-keys");
  others.forEach((one) => one.remove());
  for (const note of found.notes ?? []) message(note, "about-keys");
  shown = found.answer ? { ...found.answer, of, keys } : null;
  answer.shown(at("answer"), found.answer, found.error, apply);
  answer.glance(at("glance"), found.answer);
  at("answer").setAttribute("aria-busy", String(!whole));
  document.title = found.answer ? `${found.answer.rate} MB/s, ${state.board}` : "Axiometer";
  if (found.error) at("spoken").textContent = found.error.message;
  if (whole && found.answer) {
    at("spoken").textContent = `${found.answer.rate} MB/s simulated. Limit: ${found.answer.cause}.`;
    document.documentElement.dataset.whole = of;
  }
  drawCurve();
  if (!late && whole && curve.key !== ofCurve()) trace();
}

function apply(change) {
  state.keys = { ...state.keys, ...change.keys };
  const names = change.more.map((setting) => setting.split("=")[0]);
  const kept = state.more.filter((setting) => !names.includes(setting.split("=")[0]));
  state.more = [...kept, ...change.more];
  at("more").value = state.more.join(" ");
  changed();
}

function message(text, about = "") {
  at("messages").append(make("p", { className: `message ${about}` }, text));
}

function changed(ended = true) {
  history.replaceState(null, "", link.written(state));
  settle.stop();
  trace.stop();
  look();
  clearTimeout(resting);
  resting = setTimeout(() => {
    settle();
    trace();
  }, ended ? 0 : REST_MS);
}

// ---- controls ----------------------------------------------------------------------------------

function describe(found) {
  latest = found;
  at("board-note").textContent = found.board.title;
  const differ = state.masters.length > 0;
  at("differ").checked = differ;
  at("ports").hidden = at("choices").hidden = differ;
  at("masters").hidden = !differ;
  ports(at("ports"), found.ports, (value) => set("ports", value));
  choices(at("choices"), found.choices, (key, value) => set(key, value));
  sliders(at("sliders"), found.sliders, (key, value, ended) => set(key, value, ended));
  if (differ) list(at("masters").querySelector(".list"), found.masters, state.masters, remaster);
  tabs(found.curves);
}

function set(key, value, ended = true) {
  state.keys = { ...state.keys, [key]: value };
  // Another port has other masters and widths; those of before may not be meant for it.
  if (key === "ports") for (const other of ["master", "width_bits"]) delete state.keys[other];
  changed(ended);
}

function remaster(masters) {
  state.masters = masters;
  if (latest) describe(latest);
  changed();
}

function board(name) {
  state = { board: name, keys: {}, masters: [], more: [], along: state.along };
  at("more").value = "";
  at("messages").replaceChildren();
  changed();
}

const bare = (name) => name.replace(/[-_. ]/g, "").toLowerCase();

// Fills the list of boards; gives the names by all their spellings.
function boards(found) {
  const field = at("board");
  at("boards").append(...found.map((one) => make("option", { value: one.name }, `${one.title}, ${one.origin}`)));
  const known = new Map(found.flatMap((one) => [one.name, ...one.aliases].map((name) => [bare(name), one.name])));
  // The list shows what fits the typed text: all boards, once the field is empty.
  field.addEventListener("focus", () => {
    field.placeholder = field.value;
    field.value = "";
  });
  field.addEventListener("blur", () => {
    if (!known.has(bare(field.value))) field.value = state.board;
  });
  field.addEventListener("input", () => {
    const name = known.get(bare(field.value));
    if (name && name !== state.board) board(name);
  });
  return known;
}

// ---- the curve ---------------------------------------------------------------------------------

const trace = newest(traced, true);

function tabs(found) {
  const box = at("along");
  if (!found.some((one) => one.along === state.along)) state.along = (found.find((one) => one.along === "burst_beats") ?? found[0]).along;
  box.replaceChildren(...found.map((one) => {
    const tab = make("button", { type: "button" }, one.label);
    tab.setAttribute("aria-pressed", String(one.along === state.along));
    tab.addEventListener("click", () => {
      state.along = one.along;
      history.replaceState(null, "", link.written(state));
      tabs(latest.curves);
      at("along").querySelector("[aria-pressed=true]").focus();
      trace();
    });
    return tab;
  }));
}

// The question of a curve: that of the page without the key along which it runs.
function ofCurve() {
  const { [state.along]: _, ...keys } = state.keys;
  return JSON.stringify([state.along, { ...question(), keys }]);
}

async function traced(signal) {
  const of = latest?.curves.find((one) => one.along === state.along);
  if (!of) return;
  const key = ofCurve();
  if (curve.key !== key) Object.assign(curve, { key, of, points: new Map(), done: new Set() });
  drawCurve();
  // First a quick look at every point, then a whole start of each. Under load both are the same.
  for (const whole of of.along === "load" ? [true] : [false, true]) {
    const left = of.at.filter((x) => !curve.done.has(x) && (whole || !curve.points.has(x)));
    while (left.length) {
      const some = left.splice(0, AT_ONCE);
      const found = await ask("/api/curve", { ...question(), along: of.along, at: some, whole }, signal);
      if (curve.key !== key) return;
      some.forEach((x, i) => curve.points.set(x, found.points?.[i] ?? null));
      if (whole) some.forEach((x) => curve.done.add(x));
      drawCurve();
    }
  }
}

function drawCurve() {
  if (!curve.of || curve.key !== ofCurve()) return;
  const slider = latest.sliders.find((one) => one.key === curve.of.along);
  const texts = new Map(slider ? slider.values.map((value, i) => [value, slider.texts[i]]) : []);
  const x = shown?.keys[curve.of.along] ?? slider?.values[slider.at];
  const now = slider && shown ? { x, y: shown.total_MBps } : null;
  drawn(at("curve"), curve.of, [...curve.points.values()].filter(Boolean), texts, now, (x) => set(curve.of.along, x));
}

// ---- start -------------------------------------------------------------------------------------

function opened() {
  const { state: found, odd } = link.read(location.hash);
  at("messages").replaceChildren();
  if (odd.length) message(`The link has parts that this page does not know; they are left out: ${odd.slice(0, 5).join(", ").slice(0, 300)}`);
  state = { ...found, board: found.board || first };
  at("board").value = state.board;
  at("more").value = state.more.join(" ");
}

async function start() {
  opened();
  if (state.board) document.querySelector("#answer .waiting").textContent = `${link.said(state)}: waiting for the first answer …`;
  const found = await ask("/api/boards", {});
  if (found.error) {
    answer.shown(at("answer"), null, found.error);
    return;
  }
  first = found.first;
  const known = boards(found.boards);
  opened();
  state.board = known.get(bare(state.board)) ?? state.board;
  at("board").value = state.board;
  if (!known.has(bare(state.board))) {
    message(`The link names the board ${state.board.slice(0, 60)}, which is not here; this is ${first}.`);
    state = { board: first, keys: {}, masters: [], more: [], along: "" };
    at("board").value = first;
  }
  changed();
  setTimeout(kept, REST_MS); // the answer first
}

at("differ").addEventListener("change", () => {
  const kinds = latest?.masters ?? [];
  if (!at("differ").checked || !kinds.length) return remaster([]);
  const one = another(kinds, []);
  return remaster([one, another(kinds, [one])]);
});
at("add-master").addEventListener("click", () => remaster([...state.masters, another(latest.masters, state.masters)]));
at("more").addEventListener("change", () => {
  state.more = at("more").value.split(/\s+/).filter(Boolean);
  changed();
});
at("reset").addEventListener("click", () => board(state.board));
at("controls").addEventListener("submit", (event) => event.preventDefault());
at("copy-link").addEventListener("click", () => answer.copied(at("copy-link"), location.href));
for (const one of document.querySelectorAll("a[href='#answer']")) {
  // The address is the question: this link must not become one.
  one.addEventListener("click", (event) => {
    event.preventDefault();
    at("answer").focus();
  });
}
addEventListener("hashchange", () => {
  opened();
  changed();
});
new ResizeObserver(() => drawCurve()).observe(at("curve"));
const kept = ready(at("own"), () => state.board, (name) => {
  at("board").value = name;
  board(name);
  at("board").scrollIntoView({ block: "center" });
}, changed);
start();
