// Keeps the page's files for later visits and without a network, and lets the page share memory with
// its worker. tools/browser.py fills in the braces; another version has another name of the cache.

const OWN = new URL("./", location.href);
const NAME = `axiometer ${OWN.pathname} `; // another version of the site may stand beside this one
const KEPT = `${NAME}{VERSION}`;
const FILES = new Set(["", ..."{FILES}".split(" ")].map((name) => new URL(name, OWN).href));
const PYTHON = new URL("{PYODIDE}/", OWN).href;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith(NAME) && name !== KEPT;
  event.waitUntil(caches.keys().then((all) => Promise.all(all.filter(old).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

async function found(request) {
  const cache = await caches.open(KEPT);
  let answer = await cache.match(request, { ignoreSearch: true });
  if (!answer) {
    answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
  }
  // Only these two need the headers: a Response made anew loses the compiled code that the browser
  // keeps with it.
  if (request.mode !== "navigate" && !request.url.endsWith("/worker.js")) return answer;
  const headers = new Headers(answer.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(answer.body, { status: answer.status, headers });
}

self.addEventListener("fetch", (event) => {
  const address = event.request.url.split(/[?#]/)[0];
  if (event.request.method === "GET" && (FILES.has(address) || address.startsWith(PYTHON))) event.respondWith(found(event.request));
});
