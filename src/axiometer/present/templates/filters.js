"use strict";
// Which points of a run are shown: one list for each parameter that varies, above the charts. Table,
// points and all charts follow. The page's address has the selection, so that it can be sent.
const filters = (() => {
  const runs = new Map(); // anchor -> {form, rows: [{index, cells, row}], chosen: Map, points}
  let opened = "";

  const texts = (row, count) => [...row.cells].slice(0, count).map((cell) => cell.textContent.trim());
  const visible = (run, cells) =>
    [...run.chosen].every(([column, value]) => cells[column] === value);

  function indices(anchor) {
    const run = runs.get(anchor);
    return run && run.chosen.size ? new Set(run.shown.map((one) => one.index)) : null;
  }

  // A chart's specification with the points that are shown; null if none is left.
  function spec(entry, anchor) {
    const kept = indices(anchor);
    if (!kept) return entry.spec;
    let left = 0;
    const seen = new Set();
    const of = (value) => {
      if (Array.isArray(value)) {
        if (!value.length || value[0] === null || value[0].index === undefined) return value.map(of);
        const points = value.filter((one) => kept.has(one.index));
        left += points.length;
        points.forEach((one) => seen.add(one.index));
        return points;
      }
      if (value === null || typeof value !== "object") return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, of(one)]));
    };
    const all = new Set();
    JSON.stringify(entry.spec, (key, value) => {
      if (value && typeof value === "object" && "index" in value) all.add(value.index);
      return value;
    });
    const made = of(entry.spec);
    if (!left) return null;
    // Lanes keep their height.
    if (typeof made.height === "number" && "lanes" in entry)
      made.height = (made.height * seen.size) / all.size;
    return made;
  }

  function apply(anchor) {
    const run = runs.get(anchor);
    run.shown = run.rows.filter((one) => visible(run, one.cells));
    const kept = new Set(run.shown.map((one) => one.index));
    for (const one of run.rows) one.row.hidden = !kept.has(one.index);
    for (const point of document.querySelectorAll(`details[id^="${anchor}-p"]`))
      point.hidden = !kept.has(Number(point.dataset.index));
    run.count.textContent = `${kept.size} of ${run.rows.length} points`;
    run.reset.hidden = !run.chosen.size;
  }

  function address() {
    const words = new URLSearchParams();
    for (const [anchor, run] of runs)
      for (const [column, value] of run.chosen) words.append(`${anchor}.${run.heads[column]}`, value);
    if (opened) words.append("point", opened);
    const text = words.toString();
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  }

  function read() {
    if (!location.hash.includes("=")) return;
    const words = new URLSearchParams(location.hash.slice(1));
    for (const [anchor, run] of runs) {
      for (const select of run.form.querySelectorAll("select")) {
        const column = Number(select.dataset.column);
        const value = words.get(`${anchor}.${run.heads[column]}`);
        if (value !== null && [...select.options].some((o) => o.value === value)) {
          select.value = value;
          run.chosen.set(column, value);
        }
      }
      apply(anchor);
    }
    const point = document.getElementById(words.get("point") || "");
    if (point) {
      opened = point.id;
      point.open = true;
      point.scrollIntoView({ block: "center" });
    }
  }

  function control(anchor, run, column, values, redraw) {
    const label = document.createElement("label");
    const select = document.createElement("select");
    label.append(run.heads[column] + " ", select);
    select.dataset.column = column;
    for (const value of ["", ...values]) select.add(new Option(value || "all", value));
    select.addEventListener("change", () => {
      if (select.value) run.chosen.set(column, select.value);
      else run.chosen.delete(column);
      apply(anchor);
      address();
      redraw();
    });
    run.form.insertBefore(label, run.count);
  }

  function prepare(form, redraw) {
    const anchor = form.dataset.run, swept = Number(form.dataset.swept);
    const lines = [...document.querySelectorAll(`#${anchor}-table tbody tr`)];
    const heads = document.querySelectorAll(`#${anchor}-table thead th`);
    const run = {
      form, chosen: new Map(), count: form.querySelector("output"), reset: form.querySelector("button"),
      heads: [...heads].slice(0, swept).map((head) => head.textContent.trim()),
      rows: lines.map((row) => ({ row, index: Number(row.dataset.index), cells: texts(row, swept) })),
    };
    run.heads.forEach((_, column) => {
      const values = [...new Set(run.rows.map((one) => one.cells[column]))];
      if (values.length > 1) control(anchor, run, column, values, redraw);
    });
    if (!form.querySelector("select")) return;
    runs.set(anchor, run);
    run.reset.addEventListener("click", () => {
      run.chosen.clear();
      for (const select of form.querySelectorAll("select")) select.value = "";
      apply(anchor);
      address();
      redraw();
    });
    apply(anchor);
    form.hidden = false;
  }

  return {
    spec,
    start(redraw) {
      for (const form of document.querySelectorAll("form.filters")) {
        form.addEventListener("submit", (event) => event.preventDefault());
        prepare(form, redraw);
      }
      read();
    },
    open(id) {
      opened = id;
      address();
    },
  };
})();
