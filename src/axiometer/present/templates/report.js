"use strict";
(async () => {
  async function unpacked(id) {
    const packed = atob(document.getElementById(id).textContent);
    const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }

  // Unpack the parts of a packed page before any other code looks for them.
  async function fill() {
    const parts = JSON.parse(await unpacked("parts"));
    for (const place of document.querySelectorAll("[data-part]")) {
      const part = parts[Number(place.dataset.part)];
      if (place.tagName === "SCRIPT") place.textContent = part;
      else place.innerHTML = part;
    }
  }

  const modern = "DecompressionStream" in window;
  if (document.getElementById("parts")) {
    if (!modern) return;
    await fill();
  }
  document.getElementById("old").hidden = modern;

  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const specs = read("specs");
  const classes = read("stream-classes");
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const views = new Map();

  function theme() {
    const ink = css("--ink"), soft = css("--soft"), grid = css("--grid");
    return {
      font: css("--sans"),
      background: "transparent",
      view: { stroke: null },
      axis: {
        labelColor: ink, titleColor: soft, titleFontWeight: "normal",
        labelFontSize: innerWidth < 600 ? 9.5 : 11,
        titleFontSize: 11, gridColor: grid, domain: false, ticks: false, labelPadding: 6,
      },
      style: { aside: { color: soft } },
      legend: { labelColor: ink, labelFontSize: 12, symbolSize: 70 },
    };
  }

  async function draw(entry) {
    const box = document.getElementById(entry.id);
    const spec = filters.spec(entry, box.dataset.run);
    box.closest(".card").hidden = !spec;
    if (!spec) return;
    const result = await vegaEmbed(box, spec, {
      renderer: "svg",
      config: theme(),
      actions: { export: true, source: false, compiled: false, editor: false },
      downloadFileName: "axiometer-" + entry.id,
    });
    result.view.addEventListener("click", (event, item) => {
      const index = item && item.datum && item.datum.index;
      if (index !== undefined) open(box.dataset.run, index);
      else if (item && item.datum && item.datum.why) pick(box, item.datum);
    });
    box.querySelector("summary")?.setAttribute("aria-label", "Save this chart");
    views.get(entry.id)?.finalize();
    views.set(entry.id, result);
    box.dataset.drawn = "yes";
  }

  // A cell of a board's map: its sentence and the command that explains its point, below the map.
  function pick(box, cell) {
    const place = box.parentElement.querySelector(".picked");
    if (!place) return;
    const code = element("code", "", `axiometer explain ${box.dataset.explain} ${cell.ports.replaceAll(" · ", ",")},${cell.x}`);
    place.replaceChildren(`${cell.ports}, ${cell.x} B: ${cell.rate} MB/s. ${cell.why} `, code);
  }

  function open(run, index) {
    const point = document.getElementById(run + "-p" + index);
    if (!point) return;
    point.open = true;
    point.scrollIntoView({ block: "center" });
    filters.open(point.id);
  }

  function element(tag, cls, text) {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text !== undefined) e.textContent = text;
    return e;
  }

  const percent = (x) => (x > 0 && x < 0.0005 ? "< 0.1 %" : (x * 100).toFixed(1) + " %");

  function streams(details, all) {
    const box = details.querySelector(".streams");
    if (!details.open || box.childElementCount) return;
    for (const [title, shares] of all[details.dataset.index] || []) {
      const row = element("div", "srow");
      row.append(element("span", "", title));
      const bar = element("span", "stack");
      shares.forEach((share, i) => {
        if (!share) return;
        const part = element("i");
        part.style.width = share / 100 + "%";
        part.className = classes[i].key;
        part.title = classes[i].label + ": " + percent(share / 10000);
        bar.append(part);
      });
      row.append(bar, element("span", "top", percent(shares[0] / 10000) + " data"));
      box.append(row);
    }
    box.append(document.getElementById("stream-key").content.cloneNode(true));
  }

  for (const list of document.querySelectorAll(".times")) {
    const all = read(list.dataset.streams);
    for (const details of list.querySelectorAll("details")) {
      details.addEventListener("toggle", () => streams(details, all));
    }
  }

  const links = [...document.querySelectorAll(".bar nav a")];
  const here = () => {
    let current = null;
    for (const link of links) {
      const target = document.querySelector(link.getAttribute("href"));
      if (target && target.getBoundingClientRect().top < 140) current = link;
    }
    links.forEach((link) => link.classList.toggle("here", link === current));
  };
  addEventListener("scroll", here, { passive: true });
  here();

  async function start() {
    if (!modern) return;
    const script = document.createElement("script");
    script.textContent = await unpacked("library");
    document.head.append(script);
    const drawAll = () => Promise.all(specs.filter((e) => !e.lazy || views.has(e.id)).map(draw));
    filters.start(drawAll);
    const near = new IntersectionObserver((seen) => {
      for (const one of seen.filter((e) => e.isIntersecting)) {
        near.unobserve(one.target);
        draw(specs.find((entry) => entry.id === one.target.id));
      }
    }, { rootMargin: "600px" });
    for (const entry of specs.filter((e) => e.lazy)) near.observe(document.getElementById(entry.id));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
    await drawAll();
    document.documentElement.dataset.ready = "yes";
  }
  start();
})();
