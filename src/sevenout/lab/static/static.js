// The static edition: a page without a query is a file of this folder; all others are made by Python
// in a worker of this page. It runs before the page is there, so that no page stands under the
// address of another.
(() => {
  "use strict";
  const root = document.documentElement;
  const { python, ours, bytes, flint: flintBytes } = document.currentScript.dataset;
  const folder = new URL("./", location.href).href;
  const PATIENCE = 3000; // milliseconds after which a new start is sooner there than the answer
  if (location.search) root.dataset.waits = "";

  // --- Python in a worker: started once, started again if it breaks ------------------------------
  // It starts without python-flint, the heaviest part. The first page that needs more than the
  // substitute can do starts it again with that, and then it stays.
  const asked = new Map(); // by number: the message, and what becomes of its answer
  let worker = null, ready = false, loading = "", got = 0, size = Number(bytes), last = 0, flint = false;

  function start() {
    if (worker || loading) return;
    loading = flint ? "python-flint, which this page needs, is on its way" : "Python is on its way into this page";
    size = Number(bytes) + (flint ? Number(flintBytes) : 0);
    const mine = worker = new Worker(`./${ours}/worker.js`, { type: "module" });
    worker.onmessage = ({ data }) => {
      if (mine !== worker) return; // a worker that has been ended since
      if (data.got) got = data.got;
      if (data.ready) [ready, loading] = [true, ""];
      if (data.ready) keep();
      if (data.broken) return broken(data.broken);
      if (data.flint) return restart();
      if (data.id) {
        asked.get(data.id)?.done(data);
        asked.delete(data.id);
      }
      tell();
    };
    worker.onerror = (event) => mine === worker && broken(event.message || "it can't be loaded");
    worker.postMessage({ python: `../${python}/`, flint });
    for (const { message } of asked.values()) worker.postMessage(message);
    tell();
  }

  function end() {
    worker.terminate();
    [worker, ready, loading, got] = [null, false, "", 0];
  }

  function restart() {
    end();
    flint = true;
    start();
  }

  // What was fetched once is kept by a service worker, where the browser allows one.
  function keep() {
    navigator.serviceWorker?.register(`./cache.js?${python}&${ours}`).catch(() => {});
  }

  function broken(why) {
    console.warn(`Python in the page: ${why}`);
    const was = ready;
    end();
    if (!was) loading = "Python could not be loaded; the next click tries again";
    for (const { fail } of asked.values()) fail(new Error(why));
    asked.clear();
    tell();
    loading = "";
  }

  // One question at a time; what nobody waits for any more is not asked. What is being worked out
  // and takes long is given up when its visitor leaves: Python can't be stopped, but its worker can.
  let turn = Promise.resolve();
  function queued(message, signal) {
    const mine = turn.then(async () => {
      signal?.throwIfAborted();
      const id = ++last, whole = { id, ...message };
      const answer = new Promise((done, fail) => asked.set(id, { message: whole, done, fail }));
      const sent = Boolean(worker);
      start();
      if (sent) worker.postMessage(whole);
      const began = performance.now();
      signal?.addEventListener("abort", () => {
        if (!asked.has(id) || !ready || performance.now() - began < PATIENCE) return;
        asked.get(id).fail(new DOMException("Left", "AbortError"));
        asked.delete(id);
        end();
      });
      return answer;
    });
    turn = mine.catch(() => {});
    return mine;
  }
  function made(url, signal) {
    const to = new URL(url, location.href);
    return queued({ wanted: to.pathname.split("/").pop() + to.search }, signal);
  }
  const prove = async (file) => (await queued({ proof: await file.arrayBuffer() })).text;

  async function ask(url, signal) {
    const to = new URL(url, location.href);
    to.hash = "";
    // The best play of a game by its own rules is a file, which holds more than Python here can find.
    const game = to.pathname.endsWith("/best.html") && to.search.match(/^\?game=([a-z0-9-]+)$/);
    const whole = game ? new URL(`./best-${game[1]}.html`, to) : to;
    if (!whole.search) {
      try {
        const file = await fetch(whole, { signal });
        if (file.ok) return shown(file);
      } catch (error) {
        if (error.name === "AbortError") throw error;
      }
    }
    const had = await before(to);
    if (had) return shown({ url: to.href, headers: had.headers, blob: () => had.blob(), text: () => had.text() });
    const answer = await made(to, signal);
    if (answer.place) return ask(new URL(answer.place, to), signal);
    if (answer.status === 200 && answer.kind.startsWith("text/html")) remember(to, answer);
    return shown({
      url: to.href,
      file: answer.file,
      headers: new Headers({ "content-type": answer.kind }),
      blob: async () => new Blob([answer.body], { type: answer.kind }),
      text: async () => new TextDecoder().decode(answer.body),
    });
  }

  // A page is a function of its address: one that was made before is shown at once, the last hundreds
  // of them, as long as the edition stands.
  const pages = self.caches?.open(`sevenout ${folder}`).catch(() => null);
  const key = (to) => `${folder}${ours}/${to.pathname.split("/").pop()}${to.search}`;
  const before = async (to) => (await pages)?.match(key(to)).catch(() => null);

  async function remember(to, { body, kind }) {
    try {
      const cache = await pages, copy = new Blob([body]);
      await cache?.put(key(to), new Response(copy, { headers: { "content-type": kind } }));
      const all = (await cache?.keys() ?? []).filter(({ url }) => url.startsWith(`${folder}${ours}/`));
      for (const old of all.slice(0, Math.max(0, all.length - 300))) await cache.delete(old);
    } catch { /* a browser may keep less */ }
  }

  function shown(answer) {
    delete root.dataset.waits;
    return answer;
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
  function tell() {
    const place = document.getElementById("loading");
    if (!place) return;
    place.hidden = !loading;
    if (!loading) return;
    const share = Math.min(1, got / size), bar = place.querySelector("progress");
    const megabytes = (n) => (n / 1e6).toFixed(1);
    if (share < 1) bar.value = share;
    else bar.removeAttribute("value");
    // Of what is kept nothing is fetched.
    place.querySelector("span").textContent = !worker ? loading : !got || got >= size ? "Python starts …"
      : `${loading}: ${megabytes(got)} of ${megabytes(size)} MB`;
  }

  document.addEventListener("DOMContentLoaded", () => {
    const place = document.createElement("div");
    place.id = "loading";
    place.setAttribute("role", "status");
    place.append(document.createElement("progress"), document.createElement("span"));
    place.firstChild.setAttribute("aria-label", "Python");
    document.body.append(place);
    tell();
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
