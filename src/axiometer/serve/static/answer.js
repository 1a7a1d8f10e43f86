// The answer: rate, band, cause, advice, time, measurements, and the command that gives the same.

import { make } from "./controls.js";

const svg = "http://www.w3.org/2000/svg";

export function draw(tag, properties, ...children) {
  const made = document.createElementNS(svg, tag);
  for (const [name, value] of Object.entries(properties)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A square in a colour of the server's.
export function box(colour) {
  return draw("svg", { viewBox: "0 0 10 10", class: "box", "aria-hidden": "true" },
    draw("rect", { width: 10, height: 10, rx: 2.5, fill: colour }));
}

// Shows an answer or an error; `apply(change)` is for the advised change.
export function shown(place, answer, error, apply) {
  place.querySelector(".waiting").hidden = true;
  const inside = place.querySelector(".shown");
  inside.hidden = false;
  const open = inside.querySelector("details")?.open ?? false;
  inside.replaceChildren(...(error ? wrong(error) : parts(answer, open, apply)));
}

export function wrong(error) {
  if (!error) return [];
  const remedy = error.remedy ? [make("p", { className: "remedy" }, error.remedy)] : [];
  return [make("div", { className: "wrong", role: "alert" }, make("p", {}, make("b", {}, error.message)), ...remedy)];
}

function parts(a, open, apply) {
  const state = a.whole ? "whole answer" : "first look, one short start";
  const rate = make("p", { className: "rate" }, make("b", {}, a.rate), " MB/s ", make("span", { className: "badge" }, "simulated"));
  return [
    make("p", { className: "what" }, `${a.what} `, make("span", { className: `state ${a.whole ? "whole" : "quick"}` }, state)),
    make("div", { className: "hero" }, make("div", {}, rate, ...ways(a)), make("div", { className: "scale" }, meter(a), bandLine(a))),
    make("p", { className: "cause" }, box(a.colour), make("span", {}, make("b", {}, `Limit: ${a.cause}. `), a.why)),
    ...(a.advice ? [advice(a, apply)] : []),
    ...a.warnings.map((text) => make("p", { className: "warning" }, text)),
    ...time(a.time),
    ...(a.latency ? [make("p", { className: "soft" }, a.latency)] : []),
    ...measured(a.measured),
    ...details(a, open),
    elsewhere(a),
  ];
}

function advice(a, apply) {
  const line = make("p", { className: "advice" }, a.advice);
  if (a.change.keys) {
    const button = make("button", { type: "button" }, "Try it");
    button.addEventListener("click", () => apply(a.change));
    line.append(button);
  }
  return line;
}

// The answer in a line, for a small window in which the controls hide it.
export function glance(place, a) {
  place.hidden = !a;
  if (a) place.replaceChildren(box(a.colour), make("b", {}, `${a.rate} MB/s`), make("span", {}, `simulated; ${a.cause}`));
}

function rounded(rate) {
  return rate >= 100 ? Math.round(rate).toString() : rate.toPrecision(3);
}

function ways(a) {
  const found = [["read", a.read_MBps], ["written", a.write_MBps]].filter(([, rate]) => rate > 0);
  const both = found.length > 1 ? found : [];
  const words = both.map(([word, rate], at) => make("span", {}, make("i", { className: `key way${at}` }), `${rounded(rate)} ${word}`));
  const peak = a.peak ? [make("span", {}, a.peak)] : [];
  return [make("p", { className: "ways" }, ...words, ...peak)];
}

// The rate and its band on the scale of the peak.
function meter(a) {
  const top = Math.max(a.peak_MBps ?? 0, a.total_MBps, a.band.high_MBps ?? 0) || 1;
  const x = (rate) => (100 * rate) / top;
  const figure = draw("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", class: "meter", role: "img", "aria-label": `${a.rate} MB/s, ${a.peak}` },
    draw("rect", { x: 0, y: 3, width: 100, height: 6, class: "track" }),
    draw("rect", { x: 0, y: 3, width: x(a.read_MBps), height: 6, class: "way0" }),
    draw("rect", { x: x(a.read_MBps), y: 3, width: x(a.write_MBps), height: 6, class: "way1" }));
  if (a.band.high_MBps) {
    const width = Math.max(0.4, x(a.band.high_MBps - a.band.low_MBps));
    figure.append(draw("rect", { x: x(a.band.low_MBps), y: 0, width, height: 12, class: "band" }));
  }
  return figure;
}

function bandLine(a) {
  const words = a.band.short ? `Nine of ten measurements: ${a.band.short} MB/s` : a.band.text;
  return make("p", { className: "note", title: a.band.text }, words);
}

function time(classes) {
  if (!classes.length) return [];
  let at = 0;
  const bars = draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "time", "aria-hidden": "true" });
  for (const one of classes) {
    const both = { x: at * 100, y: 0, width: one.share * 100, height: 10 };
    bars.append(draw("rect", { ...both, fill: one.colour, class: "on-light" }), draw("rect", { ...both, fill: one.dark, class: "on-dark" }));
    at += one.share;
  }
  const key = make("ul", { className: "keys" });
  for (const one of classes.filter((each) => each.share >= 0.005)) {
    const light = box(one.colour);
    const dark = box(one.dark);
    light.classList.add("on-light");
    dark.classList.add("on-dark");
    key.append(make("li", {}, light, dark, `${one.label} ${(100 * one.share).toFixed(one.share < 0.1 ? 1 : 0)} %`));
  }
  return [make("div", { className: "time-of" }, make("h3", {}, "Where the time goes"), bars, key)];
}

function measured(lines) {
  if (!lines.length) return [];
  return [make("div", { className: "measured" }, ...lines.map((line) => make("p", {}, line.trim())))];
}

function details(a, open) {
  if (!a.details.length) return [];
  const all = make("details", { open }, make("summary", {}, "How sure, each port, what else was tried"));
  all.append(...a.details.map((line) => make("p", {}, line.trim())));
  return [all];
}

function elsewhere(a) {
  return make("div", { className: "elsewhere" }, line("Command", a.command), line("Python", a.python));
}

function line(label, text) {
  const copy = make("button", { type: "button", className: "copy" }, "Copy");
  copy.setAttribute("aria-label", `Copy: ${label}`);
  copy.addEventListener("click", () => copied(copy, text));
  return make("div", { className: "line" }, make("span", {}, label), make("code", { tabIndex: 0 }, text), copy);
}

// Copies a text and says so on the button.
export async function copied(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}
