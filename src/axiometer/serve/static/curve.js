// A curve as SVG, drawn anew with each point that arrives: rate along a key, with the band and the
// colour of each point's cause; or latency against rate.

import { make } from "./controls.js";
import { box, draw } from "./answer.js";

const HEIGHT = 300;
const SIDE = { left: 56, right: 14, top: 16, bottom: 40 };

// place: the element; curve: {along, axis, log}; points; texts: words of values of x; now: {x, y} of
// the present answer; chosen(x): called for a point that is clicked.
export function drawn(place, curve, points, texts, now, chosen) {
  const load = curve.along === "load";
  // Under load the order is that of the gaps: near the limit the rate may go back.
  const sorted = [...points].sort((a, b) => (load ? b.gap - a.gap : a.x - b.x));
  const width = Math.max(280, place.clientWidth || 640);
  const scale = scales(sorted, curve, width, now);
  const figure = draw("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, class: "plot", role: "img" });
  figure.setAttribute("aria-label", `${load ? "Latency in ns against MB/s" : `MB/s along ${curve.axis}`}; as a table below`);
  figure.append(...axes(scale, curve, width, texts));
  if (!load) figure.append(draw("path", { d: area(sorted, scale), class: "area" }));
  figure.append(draw("path", { d: path(sorted, scale, "y"), class: "curve" }));
  const says = make("p", { className: "note readout" }, hint(load, sorted));
  if (now && scale.holds(now.x)) figure.append(...marker(now, scale));
  for (const point of sorted) {
    const dot = draw("circle", { cx: scale.x(point.x), cy: scale.y(point.y), r: 4.5, class: "dot", fill: point.colour ?? "currentColor" });
    const hit = draw("circle", { cx: scale.x(point.x), cy: scale.y(point.y), r: 14, class: "hit" });
    hit.addEventListener("pointerenter", () => { says.textContent = words(point, texts, load); });
    hit.addEventListener("click", () => load || chosen(point.x));
    figure.append(dot, hit);
  }
  const open = place.querySelector("details")?.open ?? false;
  place.replaceChildren(figure, ...(load ? [] : [keys(sorted)]), says, table(sorted, texts, load, open));
}

function hint(load, points) {
  if (!points.length) return "Computing …";
  return load ? "Mean latency of a burst while the masters ask for more and more." : "Each point is one simulated start, in the colour of its likely limit; a click sets the value.";
}

function scales(points, curve, width, now) {
  const xs = [...points.map((p) => p.x), ...(now ? [now.x] : [])];
  const ys = [...points.map((p) => p.high ?? p.y), ...(now ? [now.y] : [])];
  const low = curve.along === "load" ? 0 : Math.min(...xs);
  const high = Math.max(...xs);
  const top = (Math.max(...ys, 0) || 1) * 1.05;
  const of = curve.log ? Math.log2 : Number;
  const span = of(high) - of(low) || 1;
  return {
    low, high, top,
    x: (value) => SIDE.left + ((of(value) - of(low)) / span) * (width - SIDE.left - SIDE.right),
    y: (value) => HEIGHT - SIDE.bottom - (value / top) * (HEIGHT - SIDE.top - SIDE.bottom),
    holds: (value) => value >= low && value <= high,
  };
}

// Round numbers from 0 or `low` to `high`, about `count`.
function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high * 1.0001; at += step) found.push(at);
  return found;
}

function axes(scale, curve, width, texts) {
  const made = [];
  for (const y of ticks(0, scale.top, 5)) {
    made.push(draw("line", { x1: SIDE.left, x2: width - SIDE.right, y1: scale.y(y), y2: scale.y(y), class: "grid" }));
    made.push(draw("text", { x: SIDE.left - 8, y: scale.y(y) + 4, class: "tick end" }, String(Math.round(y * 100) / 100)));
  }
  const room = Math.max(2, Math.floor((width - SIDE.left) / 90));
  for (const x of Number.isFinite(scale.low) ? along(scale, curve, room) : []) {
    made.push(draw("text", { x: scale.x(x), y: HEIGHT - SIDE.bottom + 18, class: "tick" }, short(texts, curve.along, x)));
  }
  const middle = (SIDE.left + width - SIDE.right) / 2;
  made.push(draw("text", { x: middle, y: HEIGHT - 4, class: "axis" }, curve.along === "load" ? "MB/s" : curve.axis));
  made.push(draw("text", { x: 4, y: 11, class: "axis start" }, curve.along === "load" ? "ns" : "MB/s"));
  return made;
}

function along(scale, curve, room) {
  if (!curve.log) return ticks(scale.low, scale.high, room);
  const found = [];
  const powers = Math.log2(scale.high) - Math.log2(scale.low);
  const step = Math.max(1, Math.ceil(powers / room));
  for (let at = Math.ceil(Math.log2(scale.low)); 2 ** at <= scale.high; at += step) found.push(2 ** at);
  return found;
}

function short(texts, key, value) {
  if (key !== "transfer_bytes") return String(value);
  return texts.get(value) ?? String(value);
}

function path(points, scale, key) {
  return points.map((p, at) => `${at ? "L" : "M"}${scale.x(p.x).toFixed(1)},${scale.y(p[key]).toFixed(1)}`).join("");
}

function area(points, scale) {
  const known = points.filter((p) => p.low !== null && p.low !== undefined);
  if (known.length < 2) return "";
  return `${path(known, scale, "high")}${path([...known].reverse(), scale, "low").replace("M", "L")}Z`;
}

function marker(now, scale) {
  const x = scale.x(now.x);
  return [
    draw("line", { x1: x, x2: x, y1: SIDE.top, y2: HEIGHT - SIDE.bottom, class: "now" }),
    draw("circle", { cx: x, cy: scale.y(now.y), r: 7, class: "now-ring" }),
  ];
}

function words(point, texts, load) {
  if (load) return `Gap of ${point.gap} clocks: ${Math.round(point.x)} MB/s, mean ${Math.round(point.y)} ns, p95 ${Math.round(point.p95)} ns (simulated)`;
  return `${texts.get(point.x) ?? point.x}: ${Math.round(point.y)} MB/s simulated. Limit: ${point.cause}.`;
}

function keys(points) {
  const colours = new Map(points.map((p) => [p.limit, p.colour]));
  return make("ul", { className: "keys" }, ...[...colours].map(([name, colour]) => make("li", {}, box(colour), name)));
}

function table(points, texts, load, open) {
  const heads = load ? ["gap, clocks", "MB/s", "mean, ns", "p95, ns"] : ["", "MB/s", "band", "limit"];
  const row = (p) => load
    ? [p.gap, p.x.toFixed(0), p.y.toFixed(0), p.p95.toFixed(0)]
    : [texts.get(p.x) ?? p.x, p.y.toFixed(0), p.low ? `${p.low.toFixed(0)}–${p.high.toFixed(0)}` : "–", p.cause];
  const body = make("tbody", {}, ...points.map((p) => make("tr", {}, ...row(p).map((cell) => make("td", {}, String(cell))))));
  const head = make("thead", {}, make("tr", {}, ...heads.map((text) => make(text ? "th" : "td", {}, text))));
  const scroll = make("div", { className: "scroll", tabIndex: 0, role: "region" }, make("table", {}, head, body));
  scroll.setAttribute("aria-label", "Points of the curve");
  return make("details", { open }, make("summary", {}, "As a table"), scroll);
}
