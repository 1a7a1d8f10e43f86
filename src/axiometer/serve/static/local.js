// Questions to a worker of this page, where no server has sent it: same functions as ask.js has.

// Files are kept for later visits, and without a network. sw.js also lets the page share memory
// with its worker, once the page itself has come from there.
async function kept() {
  const keeper = navigator.serviceWorker;
  if (!keeper || keeper.controller) return;
  const taken = new Promise((done) => { keeper.oncontrollerchange = done; });
  const late = new Promise((done) => setTimeout(done, 2000));
  await keeper.register("sw.js").then(() => Promise.race([taken, late])).catch(() => {});
  if (keeper.controller && !self.crossOriginIsolated && once()) {
    location.reload();
    await new Promise(() => {});
  }
}

function once() {
  try {
    const first = !sessionStorage.axiometer;
    sessionStorage.axiometer = "again";
    return first;
  } catch {
    return false;
  }
}

const SHARES = self.crossOriginIsolated && typeof SharedArrayBuffer === "function";
const SILENT_MS = 120_000;
const PATIENCE_MS = 2000;
const asked = new Map(); // what the worker has not answered, by number: the question, and who waits
let count = 0;

function failed(why) {
  const error = { message: `The model could not be loaded: ${why || "no network"}`, remedy: "Load the page again." };
  for (const { done } of asked.values()) done?.({ error, failed: true });
  asked.clear();
}

async function begun() {
  await kept();
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const line = document.querySelector("#answer .waiting");
  const bar = Object.assign(document.createElement("progress"), { value: 0 });
  bar.setAttribute("aria-label", "Loading");
  const words = document.createElement("span");
  line.after(words, bar);
  let silent = setTimeout(failed, SILENT_MS, "no file came for two minutes");
  worker.onmessage = ({ data: { id, found, share, text } }) => {
    clearTimeout(silent);
    if (text) {
      [words.textContent, bar.value] = [`${text} … `, share];
      if (share < 1) silent = setTimeout(failed, SILENT_MS, `nothing came for two minutes after: ${text}`);
    }
    if (!id) return;
    words.remove();
    bar.remove();
    asked.get(id)?.done?.(found);
    asked.delete(id);
  };
  worker.onerror = (event) => failed(event.message);
  return worker;
}

let worker;
function restart() {
  worker?.then((one) => one.terminate());
  worker = begun();
  worker.catch((error) => failed(error.message));
  for (const [id, { question }] of asked) post([id, null, ...question]);
}
restart();

function post(message) {
  worker.then((one) => one.postMessage(message)).catch(() => {});
}

// A word that both sides see, where the browser allows it, ends the work for an answer that is no
// longer wanted after its running repeat. Else the worker is begun anew, if it does not come soon.
export function answered(signal, ...question) {
  const id = ++count;
  const stop = SHARES ? new Int32Array(new SharedArrayBuffer(4)) : null;
  return new Promise((done, refuse) => {
    asked.set(id, { question, done });
    signal?.addEventListener("abort", () => {
      if (stop) Atomics.store(stop, 0, 1);
      else setTimeout(given, PATIENCE_MS, id);
      if (!asked.get(id)?.done) return;
      asked.get(id).done = null;
      refuse(new DOMException("not wanted", "AbortError"));
    });
    post([id, stop, ...question]);
  });
}

// Gives up a question that nobody waits for, where the worker is still at it.
function given(id) {
  if (asked.keys().next().value !== id) return;
  asked.delete(id);
  restart();
}
