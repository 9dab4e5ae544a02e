// Python in a worker: loads what the folder holds, telling how far it is, then answers one by one.
import { python } from "./python.js";

const TYPES = { wasm: "application/wasm", json: "application/json" };
const PACKED = /\.(wasm|memory|libraries|coach)$/;
const here = new URL("./", self.location.href).href;
const plain = self.fetch.bind(self);
const kept = self.caches?.open(`sevenout ${new URL("../", here).href}`).catch(() => null);
const later = [];
let got = 0;

// What is fetched is counted as it comes, unpacked here, since no server has to do it, and kept unpacked
// when the first answer is out.
self.fetch = async (what) => {
  const url = new URL(what, here).href, packed = PACKED.test(url), cache = await kept;
  const had = await cache?.match(url);
  if (had) return had;
  const answer = await plain(packed ? `${url}.packed` : url);
  if (!answer.ok) throw new Error(`${url.split("/").pop()}: ${answer.status}`);
  const count = new TransformStream({
    transform(piece, on) {
      got += piece.byteLength;
      self.postMessage({ got });
      on.enqueue(piece);
    },
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
};

const bytes = async (url) => (await fetch(url)).arrayBuffer();

async function fill(place, url) {
  const reader = (await fetch(url)).body.getReader();
  for (let at = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    place.set(value, at);
    at += value.length;
  }
}

async function load({ lab, size }) {
  const memory = new Uint8Array(size), sources = bytes(`${lab}.zip`);
  const found = await python(here, bytes("./flint.libraries"), {}, memory, fill(memory, `${lab}.memory`));
  // Python has its own copy; handing the buffer over frees it, whoever still refers to it.
  structuredClone(memory.buffer, { transfer: [memory.buffer] });
  found.FS.writeFile("/lib/lab.zip", new Uint8Array(await sources));
  self.postMessage({ ready: true });
  return found.pyimport("sevenout.lab.static.places");
}

async function keep() {
  for (const put of later.splice(0)) await put().catch(() => {}); // a browser may keep less
}

let loaded, lab, answers = 0;
self.onmessage = async ({ data }) => {
  if (data.lab) {
    [loaded, lab] = [load(data), data.lab];
    loaded.then(() => setTimeout(keep, 1000), (error) => self.postMessage({ broken: String(error) }));
    return;
  }
  const places = await loaded;
  try {
    if (data.proof) return self.postMessage({ id: data.id, text: places.verdict(new Uint8Array(data.proof)) });
    const game = places.wanted(data.wanted); // its best play is a file
    if (game) {
      const table = new Uint8Array(await bytes(`${lab}-${game}.coach`));
      places.given(game, table);
      setTimeout(keep, 1000);
    }
    const made = places.answered(data.wanted);
    const [status, kind, file, place, body] = made.toJs();
    made.destroy();
    self.postMessage({ id: data.id, status, kind, file, place, body }, [body.buffer]);
  } catch (error) {
    self.postMessage({ broken: String(error) });
  }
  if (++answers % 20 === 0) places.rest();
};
