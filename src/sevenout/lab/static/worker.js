// Python in a worker: loads what the folder holds, telling how far it is, then answers one by one. Each
// file is fetched once and kept; after the first answer Python's memory is kept too, for the next visit.
import { python } from "./python.js";

const TYPES = { wasm: "application/wasm", json: "application/json" };
const PACKED = /\.(wasm|zip|libraries|coach)$/;
const MOST_MEMORY = 128e6;
const here = new URL("./", self.location.href).href;
const plain = self.fetch.bind(self);
const kept = self.caches?.open(`sevenout ${new URL("../", here).href}`).catch(() => null);
const later = [];
let got = 0;

// What is fetched is counted as it comes, unpacked here, since no server has to do it, and kept unpacked
// when the first answer is out.
const asked = new Map();
self.fetch = (what) => {
  const url = new URL(what, here).href;
  const early = asked.get(url);
  asked.delete(url);
  return early ?? fetched(url);
};

async function fetched(url, arrived) {
  const packed = PACKED.test(url), cache = await kept;
  const had = await cache?.match(url);
  if (had) {
    arrived?.();
    return had;
  }
  const answer = await plain(packed ? `${url}.packed` : url);
  if (!answer.ok) throw new Error(`${url.split("/").pop()}: ${answer.status}`);
  const count = new TransformStream({
    transform(piece, on) {
      got += piece.byteLength;
      self.postMessage({ got });
      on.enqueue(piece);
    },
    flush: arrived,
  });
  let body = answer.body.pipeThrough(count);
  if (packed) body = body.pipeThrough(new DecompressionStream("gzip"));
  const type = TYPES[url.split(".").pop()] ?? "application/octet-stream";
  const made = new Response(body, { headers: { "content-type": type } });
  if (cache) {
    const copy = made.clone();
    later.push(() => cache.put(url, copy));
  }
  return made;
}

const bytes = async (url) => (await self.fetch(url)).arrayBuffer();

// The memory of an earlier start, by the same browser: another one may lay it out in another way.
const image = (flint) => `${here}${flint ? "flint" : "plain"}.memory`;
const browser = self.navigator.userAgent;
async function remembered(flint) {
  const had = await (await kept)?.match(image(flint));
  return had?.headers.get("x-browser") === browser ? new Uint8Array(await had.arrayBuffer()) : null;
}

async function load({ python: folder, flint }) {
  const home = new URL(folder, here).href;
  // Before the scripts that ask for them are here. Python starts while the lab is on its way.
  const first = ["pyodide.asm.wasm", "python_stdlib.zip"].map((name) => new Promise(
    (arrived) => asked.set(home + name, fetched(home + name, arrived))));
  const sources = Promise.all(first).then(() => bytes(`${here}lab.zip`)), wheel = flint && bytes(`${home}flint.zip`);
  const libraries = flint && bytes(`${home}flint.libraries`);
  const memory = await remembered(flint);
  const found = await python(home, libraries, memory).catch(async (error) => {
    if (memory) await (await kept).delete(image(flint)); // the next try starts from the files
    throw error;
  });
  // Python has its own copy; handing the buffer over frees it, whoever still refers to it.
  if (memory) structuredClone(memory.buffer, { transfer: [memory.buffer] });
  found.FS.writeFile("/lib/lab.zip", new Uint8Array(await sources));
  if (flint) found.unpackArchive(new Uint8Array(await wheel), "zip", { extractDir: "/lib/flint" });
  if (!memory) {
    const folders = flint ? '"/lib/flint", "/lib/lab.zip"' : '"/lib/lab.zip"';
    found.runPython(`import sys; sys.path[:0] = [${folders}]`);
    later.push(() => remember(found, flint));
  }
  const places = found.pyimport("sevenout.lab.static.places");
  if (!memory) places.settle();
  self.postMessage({ ready: true });
  return places;
}

async function remember(found, flint) {
  // A first page that needed far more leaves a memory that takes longer to read than Python to start.
  if (found._module.HEAP8.length > MOST_MEMORY) return;
  const memory = found.makeMemorySnapshot();
  await (await kept)?.put(image(flint), new Response(memory, { headers: { "x-browser": browser } }));
}

async function keep() {
  for (const put of later.splice(0)) await put().catch(() => {}); // a browser may keep less
}

let loaded, answers = 0, resting = 0;
self.onmessage = async ({ data }) => {
  clearTimeout(resting);
  if (data.python) {
    loaded = load(data);
    loaded.catch((error) => self.postMessage({ broken: String(error) }));
    return;
  }
  const places = await loaded;
  try {
    if (data.proof) return self.postMessage({ id: data.id, text: places.verdict(new Uint8Array(data.proof)) });
    const game = places.wanted(data.wanted); // its best play is a file
    if (game) places.given(game, new Uint8Array(await bytes(`${here}${game}.coach`)));
    const made = places.answered(data.wanted);
    const [status, kind, file, place, body] = made.toJs();
    made.destroy();
    if (status) self.postMessage({ id: data.id, status, kind, file, place, body }, [body.buffer]);
    else self.postMessage({ id: data.id, flint: true });
  } catch (error) {
    self.postMessage({ broken: String(error) });
  }
  if (++answers % 20 === 0) places.rest();
  resting = setTimeout(keep, 1500); // no visitor waits for it
};
