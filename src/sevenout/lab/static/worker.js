// Python in a worker: loads what the folder holds, telling how far it is, then answers one by one.
import { loadPyodide } from "./pyodide.js";

const TYPES = { wasm: "application/wasm", json: "application/json" };
const plain = self.fetch.bind(self);
let got = 0;

// What is fetched is counted as it comes. What is packed is unpacked here: no server has to do it.
self.fetch = async (what, how) => {
  const url = new URL(what, self.location.href).href, packed = url.endsWith(".wasm");
  const answer = await plain(packed ? `${url}.packed` : url, how);
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
  return new Response(body, { headers: { "content-type": TYPES[url.split(".").pop()] ?? "application/zip" } });
};

async function load({ lab, flint }) {
  const archives = [flint, lab].map(async (url) => (await fetch(url)).arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL("./", self.location.href).href });
  const [wheel, ours] = await Promise.all(archives);
  python.unpackArchive(wheel, "wheel");
  python.unpackArchive(ours, "wheel");
  const places = python.pyimport("sevenout.lab.static.places");
  places.warm();
  self.postMessage({ ready: true });
  return places;
}

let loaded, answers = 0;
self.onmessage = async ({ data }) => {
  if (data.lab) {
    loaded = load(data);
    loaded.catch((error) => self.postMessage({ broken: String(error) }));
    return;
  }
  const places = await loaded;
  try {
    const made = places.answered(data.wanted);
    const [status, kind, file, place, body] = made.toJs();
    made.destroy();
    self.postMessage({ id: data.id, status, kind, file, place, body }, [body.buffer]);
  } catch (error) {
    self.postMessage({ broken: String(error) });
  }
  if (++answers % 20 === 0) places.rest();
};
