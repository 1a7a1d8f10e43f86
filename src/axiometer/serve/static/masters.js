// The list of masters that differ: for each its name, kind, port, direction and rate.

import { make } from "./controls.js";

// A master to begin with: the next port of the board's first kind.
export function another(kinds, masters) {
  const kind = kinds[0];
  const used = masters.map((master) => master.port);
  const port = kind.ports.find((one) => !used.includes(one)) ?? kind.ports[0];
  let number = masters.length + 1;
  while (masters.some((master) => master.name === `m${number}`)) number += 1;
  return { name: `m${number}`, kind: kind.kind, ...(port ? { port } : {}) };
}

// Shows the masters; `changed(masters)` gets the new list.
export function list(box, kinds, masters, changed) {
  box.now = masters;
  const shape = JSON.stringify([kinds.map((kind) => kind.kind), masters.map((m) => m.kind)]);
  if (box.dataset.shape !== shape) {
    box.dataset.shape = shape;
    box.replaceChildren(...masters.map((_, at) => row(box, kinds, at, changed)));
  }
  masters.forEach((master, at) => fill(box.children[at], master));
}

function row(box, kinds, at, changed) {
  const of = kinds.find((one) => one.kind === box.now[at].kind) ?? kinds[0];
  const made = make("fieldset", { className: "master" }, make("legend", {}, `Master ${at + 1}`));
  const put = (key, value) => {
    const next = { ...box.now[at] };
    if (value === "" || value === null) delete next[key];
    else next[key] = value;
    changed(box.now.map((master, i) => (i === at ? next : master)));
  };
  const add = (key, label, input) => {
    input.id = `master-${at}-${key}`;
    input.dataset.key = key;
    made.append(make("div", { className: "field" }, make("label", { htmlFor: input.id }, label), input));
  };
  const name = make("input", { maxLength: 30, spellcheck: false });
  name.addEventListener("change", () => put("name", name.value.trim()));
  add("name", "Name", name);
  const kindOf = select(kinds.map((one) => one.kind));
  kindOf.addEventListener("change", () => {
    const to = kinds.find((one) => one.kind === kindOf.value);
    const { name: called, port } = box.now[at];
    const where = to.ports.includes(port) ? port : to.ports[0];
    const next = { name: called, kind: to.kind, ...(where ? { port: where } : {}) };
    changed(box.now.map((master, i) => (i === at ? next : master)));
  });
  add("kind", "Kind", kindOf);
  if (of.ports.length) {
    const port = select(of.ports);
    port.addEventListener("change", () => put("port", port.value));
    add("port", "Port", port);
  }
  if (of.directions.length > 1) {
    const way = select(of.directions);
    way.addEventListener("change", () => put("direction", way.value));
    add("direction", "Direction", way);
  }
  for (const number of of.numbers) {
    const input = make("input", { type: "number", min: number.least ?? 0, max: number.most ?? "", step: "any", placeholder: "usual" });
    input.addEventListener("change", () => put(number.key, input.value === "" ? "" : Number(input.value)));
    add(number.key, number.label, input);
  }
  const out = make("button", { type: "button", className: "remove" }, "Remove");
  out.setAttribute("aria-label", `Remove master ${at + 1}`);
  out.addEventListener("click", () => changed(box.now.filter((_, i) => i !== at)));
  made.append(out);
  return made;
}

function select(options) {
  return make("select", {}, ...options.map((option) => make("option", { value: option }, option.replaceAll("_", " "))));
}

function fill(row, master) {
  for (const input of row.querySelectorAll("[data-key]")) {
    const value = master[input.dataset.key];
    if (input.tagName === "SELECT") input.value = value ?? input.options[0].value;
    else if (document.activeElement !== input) input.value = value ?? "";
  }
}
