// Answers questions of local.js, one at a time, by the package itself in Pyodide. {WHEEL} and
// {PYODIDE} are filled in by tools/browser.py.
// Not for: the page, which cannot wait.

import { loadPyodide } from "{PYODIDE}/pyodide.mjs";

const OWN = "/home/pyodide/.local/share/axiometer";
const UNKEPT = { message: "This browser keeps no files for a later visit.", remedy: "Export what you need." };
const told = (share, text) => self.postMessage({ share, text });

// A file, with its progress told: the largest are most of the first wait.
async function loaded(path, from, to) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  const whole = Number(response.headers.get("content-length")) || 2e6;
  const pieces = [];
  let size = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    pieces.push(value);
    size += value.length;
    told(from + (to - from) * Math.min(1, size / whole), "Loading the model");
  }
}

async function begun() {
  told(0.02, "Loading Python");
  const wheel = loaded("{WHEEL}", 0.05, 0.4);
  const python = await loadPyodide();
  told(0.6, "Unpacking the model");
  python.unpackArchive(await wheel, "wheel");
  told(0.7, "Starting the model");
  const { answer } = python.pyimport("axiometer.serve.here");
  // The user's data directory, which the browser keeps.
  python.FS.mkdirTree(OWN);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, OWN);
  const synced = (load) => new Promise((done) => python.FS.syncfs(load, done));
  await synced(true);
  told(1, "Simulating");
  return async (gone, path, body, ...more) => {
    const keeps = ["/api/file", "/api/kept"].includes(path);
    if (keeps) await synced(true); // another page may have changed it
    const found = JSON.parse(answer(gone, path, typeof body === "string" ? body : python.toPy(body), ...more));
    if (keeps && found && (await synced(false))) found.unkept = UNKEPT;
    return found;
  };
}

const answer = begun();
let last = answer;
self.onmessage = ({ data: [id, stop, ...asked] }) => {
  const gone = () => stop !== null && Atomics.load(stop, 0) !== 0;
  last = last.catch(() => {}).then(async () => {
    try {
      const asks = await answer;
      self.postMessage({ id, found: gone() ? null : await asks(gone, ...asked) });
    } catch (error) {
      const message = String(error.message ?? error).trim().split("\n").at(-1);
      self.postMessage({ id, found: { error: { message, remedy: "Load the page again." }, failed: true } });
    }
  });
};
