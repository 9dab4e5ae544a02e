// Python in a worker: loads what the folder holds, telling how far it is, then answers one by one. Each
// file is fetched once and kept; after the first answer Python's memory is kept too, for the next visit.
import { python } from "./python.js";

const TYPES = { wasm: "application/wasm", json: "application/json" };
const PACKED = /\.(wasm|zip|libraries|coach)$/;
const MAX_MEMORY = 128e6; // bytes; see `keepMemory`
const COLLECT_AFTER_ANSWERS = 20;
const IDLE = 1500; // milliseconds after an answer until files are kept, which no visitor waits for
const here = new URL("./", self.location.href).href;
const fetchPlain = self.fetch.bind(self);
const opened = self.caches?.open(`sevenout ${new URL("../", here).href}`).catch(() => null);
const toKeep = []; // functions that keep a file, called when the worker is idle
let received = 0;

// What is fetched is counted as it comes, unpacked here, since no server has to do it, and kept unpacked
// when the first answer is out. Pyodide calls this function; what was fetched before is handed to it.
const early = new Map(); // by address
self.fetch = (what) => {
  const url = new URL(what, here).href, answer = early.get(url);
  early.delete(url);
  return answer ?? fetched(url);
};

async function fetched(url, arrived) {
  const isPacked = PACKED.test(url), cache = await opened;
  const kept = await cache?.match(url);
  if (kept) {
    arrived?.();
    return kept;
  }
  const answer = await fetchPlain(isPacked ? `${url}.packed` : url);
  if (!answer.ok) throw new Error(`${url.split("/").pop()}: ${answer.status}`);
  const count = new TransformStream({
    transform(chunk, controller) {
      received += chunk.byteLength;
      self.postMessage({ received });
      controller.enqueue(chunk);
    },
    flush: arrived,
  });
  let body = answer.body.pipeThrough(count);
  if (isPacked) body = body.pipeThrough(new DecompressionStream("gzip"));
  const type = TYPES[url.split(".").pop()] ?? "application/octet-stream";
  const unpacked = new Response(body, { headers: { "content-type": type } });
  if (cache) {
    const copy = unpacked.clone();
    toKeep.push(() => cache.put(url, copy));
  }
  return unpacked;
}

const bytes = async (url) => (await self.fetch(url)).arrayBuffer();

// The memory of an earlier start, by the same browser: another one may lay it out in another way.
const memoryUrl = (flint) => `${here}${flint ? "flint" : "plain"}.memory`;
const browser = self.navigator.userAgent;
async function keptMemory(flint) {
  const kept = await (await opened)?.match(memoryUrl(flint));
  return kept?.headers.get("x-browser") === browser ? new Uint8Array(await kept.arrayBuffer()) : null;
}

// Starts Python; returns the module of the lab that answers, `static/browser.py`.
async function load({ python: folder, flint }) {
  const home = new URL(folder, here).href;
  // Before the scripts that ask for them are here. Python starts while the lab is on its way.
  const first = ["pyodide.asm.wasm", "python_stdlib.zip"].map((name) => new Promise(
    (arrived) => early.set(home + name, fetched(home + name, arrived))));
  const sources = Promise.all(first).then(() => bytes(`${here}lab.zip`)), wheel = flint && bytes(`${home}flint.zip`);
  const libraries = flint && bytes(`${home}flint.libraries`);
  const memory = await keptMemory(flint);
  const pyodide = await python(home, libraries, memory).catch(async (error) => {
    if (memory) await (await opened).delete(memoryUrl(flint)); // the next try starts from the files
    throw error;
  });
  // Python has its own copy; handing the buffer over frees it, whoever still refers to it.
  if (memory) structuredClone(memory.buffer, { transfer: [memory.buffer] });
  pyodide.FS.writeFile("/lib/lab.zip", new Uint8Array(await sources));
  if (flint) pyodide.unpackArchive(new Uint8Array(await wheel), "zip", { extractDir: "/lib/flint" });
  if (!memory) {
    const folders = flint ? '"/lib/flint", "/lib/lab.zip"' : '"/lib/lab.zip"';
    pyodide.runPython(`import sys; sys.path[:0] = [${folders}]`);
    toKeep.push(() => keepMemory(pyodide, flint));
  }
  const lab = pyodide.pyimport("sevenout.lab.static.browser");
  if (!memory) lab.freeze_imports();
  self.postMessage({ ready: true });
  return lab;
}

async function keepMemory(pyodide, flint) {
  // A first page that needed far more leaves a memory that takes longer to read than Python to start.
  if (pyodide._module.HEAP8.length > MAX_MEMORY) return;
  const memory = pyodide.makeMemorySnapshot();
  await (await opened)?.put(memoryUrl(flint), new Response(memory, { headers: { "x-browser": browser } }));
}

async function keepAll() {
  for (const keep of toKeep.splice(0)) await keep().catch(() => {}); // a browser may keep less
}

let loading, answers = 0, idleTimer = 0;
self.onmessage = async ({ data }) => {
  clearTimeout(idleTimer);
  if (data.python) {
    loading = load(data);
    loading.catch((error) => self.postMessage({ broken: String(error) }));
    return;
  }
  const lab = await loading;
  try {
    if (data.proof) {
      const text = lab.check_certificate(new Uint8Array(data.proof));
      return self.postMessage({ id: data.id, text });
    }
    const game = lab.needed_coach_table(data.url);
    if (game) lab.load_coach_table(game, new Uint8Array(await bytes(`${here}${game}.coach`)));
    const reply = lab.answer(data.url);
    const [status, type, file, location, body] = reply.toJs();
    reply.destroy();
    if (status) self.postMessage({ id: data.id, status, type, file, location, body }, [body.buffer]);
    else self.postMessage({ id: data.id, flint: true });
  } catch (error) {
    self.postMessage({ broken: String(error) });
  }
  if (++answers % COLLECT_AFTER_ANSWERS === 0) lab.collect_garbage();
  idleTimer = setTimeout(keepAll, IDLE);
};
