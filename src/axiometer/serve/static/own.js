// Files of the user's, designs and measured rows: dropped or chosen, answered, listed as kept.

import { ask, send } from "./ask.js";
import { box, wrong } from "./answer.js";
import { make } from "./controls.js";

// place: the section; board(): the page's board; explore(name): called for the design's board;
// changed(): after a change of the rows. Returns a function that lists what is kept.
export function ready(place, board, explore, changed) {
  const drop = place.querySelector("#drop");
  const file = place.querySelector("#file");
  const answer = place.querySelector("#own-answer");
  let running = null;

  async function take(one, at = board()) {
    if (!one) return;
    running?.abort();
    running = new AbortController();
    answer.replaceChildren(make("p", { className: "soft" }, `Reading ${one.name} …`));
    try {
      const found = await send("/api/file", one, at, running.signal);
      const shown = found.name ? parts(found, explore) : wrong(found.error);
      answer.replaceChildren(...shown, ...wrong(found.unkept));
      if (found.rows) changed();
      list();
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }

  async function list() {
    const { kept = [] } = await ask("/api/kept", {});
    place.querySelector("#kept").replaceChildren(...kept.map(item));
  }

  function item([id, at, name, what]) {
    const act = (label, done) => {
      const button = make("button", { type: "button", "aria-label": `${label} ${name}` }, label);
      button.addEventListener("click", async () => {
        if (done === removed && !confirm(`Remove ${name}?`)) return;
        const { error, bytes = "" } = await ask("/api/kept", { id, remove: done === removed });
        answer.replaceChildren(...wrong(error));
        if (error) removed();
        else done(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name));
      });
      return button;
    };
    const about = make("span", { className: "soft" }, at ? `${what} at ${at}` : what);
    return make("li", {}, make("b", {}, name), about,
      act("Show", (one) => take(one, at || board())), act("Export", saved), act("Remove", removed));
  }

  function removed() {
    list();
    file.focus();
    changed();
  }

  file.addEventListener("change", () => {
    take(file.files[0]);
    file.value = "";
  });
  // A file that misses the place must not replace the page.
  for (const name of ["dragover", "drop"]) {
    addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
    });
  }
  addEventListener("dragleave", (event) => event.relatedTarget || drop.classList.remove("over"));
  addEventListener("drop", (event) => {
    const one = event.dataTransfer?.files[0];
    if (one) {
      place.scrollIntoView({ block: "nearest" });
      take(one);
    }
  });
  return list;
}

function saved(one) {
  const href = URL.createObjectURL(one);
  make("a", { href, download: one.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

function parts(found, explore) {
  if (found.rows) return [make("h3", {}, found.name), make("pre", { className: "scroll", tabIndex: 0 }, found.rows)];
  const button = make("button", { type: "button" }, `Explore ${found.board}`);
  button.addEventListener("click", () => explore(found.board));
  return [
    make("h3", {}, found.name),
    ...(found.error ? wrong(found.error) : rates(found)),
    make("h3", {}, "Findings"),
    ...findings(found.findings),
    make("p", {}, button),
  ];
}

function rates(found) {
  const [first, ...rest] = found.lines;
  const cells = (part) => [part.name, rate(part.read_MBps), rate(part.write_MBps), rate(part.latency_ns), part.bottleneck];
  const heads = ["", "read, MB/s", "written, MB/s", "latency, ns", "limit"];
  const table = make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map((text) => make(text ? "th" : "td", {}, text)))),
    make("tbody", {}, ...found.parts.map((part) => make("tr", {}, ...cells(part).map((text) => make("td", {}, text))))));
  const scroll = make("div", { className: "scroll", tabIndex: 0, role: "region" }, table);
  scroll.setAttribute("aria-label", "Rates of the design");
  return [
    make("p", { className: "lead" }, box(found.colour), first),
    ...rest.map((text) => make("p", {}, text)),
    scroll,
    make("details", {}, make("summary", {}, "How sure, and what would help"), make("pre", { tabIndex: 0 }, found.details)),
    ...(found.command ? [make("p", {}, "The same of the board: ", make("code", {}, found.command))] : []),
  ];
}

function rate(value) {
  return value ? Math.round(value).toString() : "–";
}

function findings(found) {
  if (!found.length) return [make("p", {}, "None: no check of Axiometer objects to this design.")];
  return [make("ul", { className: "findings" }, ...found.map((one) =>
    make("li", {}, make("span", { className: `badge ${one.level}` }, one.level), ` ${one.says} `, make("b", {}, one.change))))];
}
