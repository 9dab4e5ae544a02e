// The service worker. It keeps what was fetched: what has a hash of its content in its name for good, all
// else for when there is no network. A page's file is the same whatever its query. What Python consists of,
// `worker.js` keeps.
const LASTING = /[-.][0-9a-f]{12}[/.]/, PYTHON = /\.(packed|zip|json)$/;
const scope = self.registration.scope;
const name = `sevenout ${scope}`;
const currentFolders = self.location.search.slice(1).split("&");

self.addEventListener("install", (event) => event.waitUntil((async () => {
  const { shell } = await (await fetch("./sevenout-lab.json", { cache: "no-cache" })).json();
  await (await caches.open(name)).addAll(shell);
  await self.skipWaiting();
})()));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  const cache = await caches.open(name);
  for (const { url } of await cache.keys()) {
    if (LASTING.test(url) && !currentFolders.some((folder) => url.startsWith(scope + folder))) await cache.delete(url);
  }
  await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(scope)) return;
  if (LASTING.test(url.pathname) && PYTHON.test(url.pathname)) return;
  event.respondWith(LASTING.test(url.pathname) ? lasting(request) : fresh(request, url));
});

async function lasting(request) {
  const cache = await caches.open(name);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}

async function fresh(request, url) {
  const cache = await caches.open(name), file = url.pathname.split("/").pop() || "index.html";
  const key = scope + file;
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(key, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    const game = request.mode === "navigate" && file.match(/^(best-)?([a-z0-9-]+)\.html$/);
    if (game) return Response.redirect(`${scope}${game[1] ? "best" : "index"}.html?game=${game[2]}`);
    throw error;
  }
}
