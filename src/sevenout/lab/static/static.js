// The static edition: a page without a query is a file of this folder; all others are made by Python
// in a worker of this page. It runs before the page is there, so that no page stands under the
// address of another.
(() => {
  "use strict";
  const root = document.documentElement;
  const { python, ours, bytes, flint: flintBytes } = document.currentScript.dataset; // folders, sizes
  const folder = new URL("./", location.href).href;
  const MAX_PAGES = 300;
  const PATIENCE = 3000; // milliseconds after which a new start is sooner there than the answer
  if (location.search) root.dataset.waits = "";

  // --- Python in a worker: started once, started again if it breaks ------------------------------
  // It starts without python-flint, the heaviest part. The first page that needs more than the
  // substitute can do starts it again with that, and then it stays.
  const pending = new Map(); // by number: the message, and what takes its answer or its error
  let worker = null, isReady = false, loading = ""; // `loading` says what is on its way
  let received = 0, size = Number(bytes); // bytes
  let lastId = 0, needsFlint = false;

  function start() {
    if (worker || loading) return;
    loading = needsFlint ? "python-flint, which this page needs, is on its way" : "Python is on its way into this page";
    size = Number(bytes) + (needsFlint ? Number(flintBytes) : 0);
    const started = worker = new Worker(`./${ours}/worker.js`, { type: "module" });
    worker.onmessage = ({ data }) => {
      if (started !== worker) return; // a worker that has been ended since
      if (data.received) received = data.received;
      if (data.ready) [isReady, loading] = [true, ""];
      if (data.ready) keepFiles();
      if (data.broken) return giveUp(data.broken);
      if (data.flint) return restartWithFlint();
      if (data.id) {
        pending.get(data.id)?.resolve(data);
        pending.delete(data.id);
      }
      showProgress();
    };
    worker.onerror = (event) => started === worker && giveUp(event.message || "it can't be loaded");
    worker.postMessage({ python: `../${python}/`, flint: needsFlint });
    for (const { message } of pending.values()) worker.postMessage(message);
    showProgress();
  }

  function end() {
    worker.terminate();
    [worker, isReady, loading, received] = [null, false, "", 0];
  }

  function restartWithFlint() {
    end();
    needsFlint = true;
    start();
  }

  // What was fetched once is kept by a service worker, where the browser allows one.
  function keepFiles() {
    navigator.serviceWorker?.register(`./cache.js?${python}&${ours}`).catch(() => {});
  }

  function giveUp(why) {
    console.warn(`Python in the page: ${why}`);
    const wasReady = isReady;
    end();
    if (!wasReady) loading = "Python could not be loaded; the next click tries again";
    for (const { reject } of pending.values()) reject(new Error(why));
    pending.clear();
    showProgress();
    loading = ""; // so that the next click may start it
  }

  // One request at a time; what nobody waits for any more is not sent. What takes long is given up when
  // its visitor leaves: Python can't be stopped, but its worker can.
  let queue = Promise.resolve();
  function send(request, signal) {
    const answered = queue.then(async () => {
      signal?.throwIfAborted();
      const id = ++lastId, message = { id, ...request };
      const answer = new Promise((resolve, reject) => pending.set(id, { message, resolve, reject }));
      const hasWorker = Boolean(worker);
      start(); // a new worker is sent all that is pending
      if (hasWorker) worker.postMessage(message);
      const began = performance.now();
      signal?.addEventListener("abort", () => {
        if (!pending.has(id) || !isReady || performance.now() - began < PATIENCE) return;
        pending.get(id).reject(new DOMException("Left", "AbortError"));
        pending.delete(id);
        end();
      });
      return answer;
    });
    queue = answered.catch(() => {});
    return answered;
  }
  const prove = async (file) => (await send({ proof: await file.arrayBuffer() })).text;

  async function ask(url, signal) {
    const target = new URL(url, location.href), fileName = target.pathname.split("/").pop();
    target.hash = "";
    // The best play of a game by its own rules is a file, which holds more than Python here can find.
    const game = fileName === "best.html" && target.search.match(/^\?game=([a-z0-9-]+)$/);
    const fileUrl = game ? new URL(`./best-${game[1]}.html`, target) : target;
    if (!fileUrl.search) {
      try {
        const file = await fetch(fileUrl, { signal });
        if (file.ok) return file;
      } catch (error) {
        if (error.name === "AbortError") throw error;
      }
    }
    const page = await madeBefore(target);
    if (page) return { url: target.href, headers: page.headers, blob: () => page.blob(), text: () => page.text() };
    const answer = await send({ url: fileName + target.search }, signal);
    if (answer.location) return ask(new URL(answer.location, target), signal);
    if (answer.status === 200 && answer.type.startsWith("text/html")) remember(target, answer);
    return {
      url: target.href,
      file: answer.file,
      headers: new Headers({ "content-type": answer.type }),
      blob: async () => new Blob([answer.body], { type: answer.type }),
      text: async () => new TextDecoder().decode(answer.body),
    };
  }

  // A page is a function of its address: one that was made before is shown at once. The last
  // `MAX_PAGES` are kept, as long as the edition stands.
  const pages = self.caches?.open(`sevenout ${folder}`).catch(() => null);
  const key = (target) => `${folder}${ours}/${target.pathname.split("/").pop()}${target.search}`;
  const madeBefore = async (target) => (await pages)?.match(key(target)).catch(() => null);

  async function remember(target, { body, type }) {
    try {
      const cache = await pages, copy = new Blob([body]);
      await cache?.put(key(target), new Response(copy, { headers: { "content-type": type } }));
      const keys = (await cache?.keys() ?? []).filter(({ url }) => url.startsWith(`${folder}${ours}/`));
      for (const oldest of keys.slice(0, Math.max(0, keys.length - MAX_PAGES))) await cache.delete(oldest);
    } catch { /* a browser may keep less */ }
  }

  async function save(answer, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name || answer.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  addEventListener("click", async (e) => {
    const link = e.target.closest?.("a[download]");
    if (!link || link.protocol === "blob:" || "png" in link.dataset || e.defaultPrevented) return;
    e.preventDefault();
    save(await ask(link.href), link.download);
  });

  // --- how far Python is --------------------------------------------------------------------------
  function showProgress() {
    const box = document.getElementById("loading");
    if (!box) return;
    box.hidden = !loading;
    if (!loading) return;
    const share = Math.min(1, received / size), bar = box.querySelector("progress");
    const megabytes = (n) => (n / 1e6).toFixed(1);
    if (share < 1) bar.value = share;
    else bar.removeAttribute("value");
    let text = `${loading}: ${megabytes(received)} of ${megabytes(size)} MB`;
    if (!received || received >= size) text = "Python starts …"; // nothing is fetched, or all of it is there
    if (!worker) text = loading;
    box.querySelector("span").textContent = text;
  }

  document.addEventListener("DOMContentLoaded", () => {
    const box = document.createElement("div");
    box.id = "loading";
    box.setAttribute("role", "status");
    box.append(document.createElement("progress"), document.createElement("span"));
    box.firstChild.setAttribute("aria-label", "Python");
    document.body.append(box);
    showProgress();
  });
  // A reader of what was made beforehand never fetches Python: it starts with the first sign that
  // something will be changed, which leaves it the time of a press or of typing.
  const FIELDS = "input, select, textarea, [contenteditable]", PRESSED = `a[href], button, summary, label, ${FIELDS}`;
  if (location.search) start();
  else {
    addEventListener("pointerdown", (e) => e.target.closest?.(PRESSED) && start(), { passive: true });
    addEventListener("focusin", (e) => e.target.matches(FIELDS) && start());
  }

  window.lab = { ask, prove, save };
})();
