// Keeps the page's files for later visits and without a network, and lets the page share memory with
// its worker. tools/browser.py fills in the braces; another version has another name of the cache.

const OWN = new URL("./", location.href);
const NAME = `axiometer ${OWN.pathname} `; // another version of the site may stand beside this one
const KEPT = `${NAME}{VERSION}`;
const FILES = new Set(["", ..."{FILES}".split(" ")].map((name) => new URL(name, OWN).href));
const PYTHON = new URL("{PYODIDE}/", OWN).href;

const isOld = (name) => name.startsWith(NAME) && name !== KEPT;

// Past the browser's own cache, which may have a file of another version.
async function fetched(request) {
  const answer = await fetch(request, { cache: "no-cache" });
  if (answer.ok) await (await caches.open(KEPT)).put(request, answer.clone());
  return answer;
}

// A new version is whole before it takes over, so that no visit mixes files of two. At the first
// visit the page itself asks for all.
async function installed() {
  if (!(await caches.keys()).some(isOld)) return self.skipWaiting();
  const cache = await caches.open(KEPT);
  return Promise.all([...FILES].map(async (name) => {
    const same = name.startsWith(PYTHON) && (await caches.match(name));
    if (same) return cache.put(name, same);
    if (!(await fetched(name)).ok) throw new Error(name);
  }));
}

async function activated() {
  await Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("install", (event) => event.waitUntil(installed()));
self.addEventListener("activate", (event) => event.waitUntil(activated()));
self.addEventListener("message", () => self.skipWaiting());

async function found(request) {
  const next = self.registration.waiting;
  if (next && request.mode === "navigate" && (await self.clients.matchAll()).length < 2) {
    next.postMessage("take over"); // no other page is open
    return new Response("", { headers: { Refresh: "0" } });
  }
  const cache = await caches.open(KEPT);
  const answer = (await cache.match(request, { ignoreSearch: true })) ?? (await fetched(request));
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
  if (event.request.method === "GET" && FILES.has(address)) event.respondWith(found(event.request));
});
