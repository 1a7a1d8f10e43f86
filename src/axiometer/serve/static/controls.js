// The controls, as the server describes them: ports, choices, sliders. The page knows no limits.

// An element with properties and children; texts are texts, never markup.
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// Calls `draw` with the box only if what it shows has another shape: a control keeps its focus.
function reshaped(box, shape, draw) {
  const now = JSON.stringify(shape);
  if (box.dataset.shape === now) return;
  box.dataset.shape = now;
  box.replaceChildren();
  draw(box);
}

// Ports by kind, each as a button that stays pressed.
export function ports(box, found, changed) {
  const groups = box.querySelector(".groups");
  reshaped(groups, found.map((port) => [port.name, port.kind, port.widths]), () => {
    for (const kind of new Set(found.map((port) => `${port.kind}, ${port.widths}`))) {
      const chips = make("div", { className: "chips" });
      for (const port of found.filter((one) => `${one.kind}, ${one.widths}` === kind)) {
        const input = make("input", { type: "checkbox", value: port.name });
        input.addEventListener("change", () => {
          const on = [...groups.querySelectorAll("input:checked")].map((one) => one.value);
          if (on.length) changed(on.join("+"));
          else input.checked = true;
        });
        chips.append(make("label", { className: "chip" }, input, make("b", {}, port.name)));
      }
      groups.append(make("p", { className: "note" }, kind), chips);
    }
  });
  for (const port of found) groups.querySelector(`input[value="${CSS.escape(port.name)}"]`).checked = port.on;
}

export function choices(box, found, changed) {
  reshaped(box, found.map((one) => [one.key, one.options]), () => {
    for (const one of found) {
      const select = make("select", { id: `choice-${one.key}` });
      one.options.forEach((option, at) => select.append(make("option", { value: at }, option.label)));
      select.addEventListener("change", () => changed(one.key, one.options[select.value].value));
      const label = make("label", { htmlFor: select.id }, one.label);
      box.append(make("div", { className: "field" }, label, select));
    }
  });
  for (const one of found) {
    const at = one.options.findIndex((option) => option.value === one.at);
    box.querySelector(`#choice-${one.key}`).value = at;
  }
}

// Sliders over lists of values. `changed(key, value, ended)`: ended is false while one drags.
export function sliders(box, found, changed) {
  for (const old of [...box.children]) {
    if (!found.some((one) => one.key === old.dataset.key)) old.remove();
  }
  for (const one of found) {
    let field = box.querySelector(`[data-key="${one.key}"]`);
    if (!field) {
      field = slider(one, changed);
      box.append(field);
    }
    const input = field.querySelector("input");
    // A slider that is dragged stays where the hand is, and keeps its steps.
    if (field.dataset.held) continue;
    field.of = one;
    input.max = one.values.length - 1;
    input.value = one.at;
    said(field);
  }
}

function slider(one, changed) {
  const id = `slider-${one.key}`;
  const output = make("output", { htmlFor: id });
  const input = make("input", { type: "range", id, min: 0, step: 1 });
  const field = make("div", { className: "field slider" }, make("label", { htmlFor: id }, one.label), output, input);
  field.dataset.key = one.key;
  field.of = one;
  input.addEventListener("input", () => {
    field.dataset.held = "yes";
    said(field);
    changed(one.key, field.of.values[input.value], false);
  });
  input.addEventListener("change", () => {
    delete field.dataset.held;
    changed(one.key, field.of.values[input.value], true);
  });
  return field;
}

function said(field) {
  const input = field.querySelector("input");
  const text = field.of.texts[input.value];
  field.querySelector("output").textContent = text;
  input.setAttribute("aria-valuetext", text);
  input.style.setProperty("--at", `${(100 * input.value) / Math.max(1, input.max)}%`);
}
