// Questions to a worker of this page, where no server has sent it: same functions as ask.js has.

// Files are kept for later visits, and without a network. sw.js also lets the page share memory
// with its worker, once the page itself has come from there.
async function kept() {
  const keeper = navigator.serviceWorker;
  if (!keeper || keeper.controller) return;
  const taken = new Promise((done) => { keeper.oncontrollerchange = done; });
  const late = new Promise((done) => setTimeout(done, 2000));
  await keeper.register("sw.js").then(() => Promise.race([taken, late])).catch(() => {});
  if (keeper.controller && !self.crossOriginIsolated && !sessionStorage.axiometer) {
    sessionStorage.axiometer = "again";
    location.reload();
    await new Promise(() => {});
  }
}

const waiting = new Map();
let count = 0;

async function begun() {
  await kept();
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const line = document.querySelector("#answer .waiting");
  const bar = Object.assign(document.createElement("progress"), { value: 0 });
  bar.setAttribute("aria-label", "Loading");
  const words = document.createElement("span");
  line.after(words, bar);
  worker.onmessage = ({ data: { id, found, share, text } }) => {
    if (text) [words.textContent, bar.value] = [`${text} … `, share];
    if (!id) return;
    words.remove();
    bar.remove();
    waiting.get(id)?.(found);
    waiting.delete(id);
  };
  worker.onerror = (event) => {
    const error = { message: `The model could not be loaded: ${event.message ?? "no network"}`, remedy: "Load the page again." };
    for (const done of waiting.values()) done({ error, failed: true });
  };
  return worker;
}
const worker = begun();

// A word that both sides see, where the browser allows it, ends the work for an answer that is no
// longer wanted after its running repeat. Else the worker finishes it first.
export function answered(signal, ...asked) {
  const id = ++count;
  const stop = self.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  return new Promise((done, refuse) => {
    waiting.set(id, done);
    signal?.addEventListener("abort", () => {
      if (stop) Atomics.store(stop, 0, 1);
      if (waiting.delete(id)) refuse(new DOMException("not wanted", "AbortError"));
    });
    worker.then((one) => one.postMessage([id, stop, ...asked]));
  });
}
