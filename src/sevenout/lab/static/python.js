// Python for the page: from its files; or from its memory as it was after an earlier start, which takes
// a tenth of the time.

// Compiled libraries stand before Python starts, in one order: so the addresses in a memory that was
// written down hold wherever it is read.
export async function python(folder, libraries, memory = null) {
  const [{ loadPyodide }, { default: createModule }] = await Promise.all(
    [import(`${folder}pyodide.js`), import(`${folder}pyodide.asm.js`)]);
  return loadPyodide({
    indexURL: folder,
    env: { HOME: "/home/pyodide" },
    ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: true }),
    async createPyodideModule(settings) {
      settings.libraries = libraries ? unpacked(await libraries) : new Map();
      settings.dynamicLibraries = [...settings.libraries.keys()];
      const module = await createModule(settings);
      if (memory) prepare(module, memory);
      return module;
    },
  });
}

// Gives Python as much memory as it had. The memory holds how the browser of that start calls what is
// compiled (Python's "trampoline"), which this start may do in another way.
function prepare(module, memory) {
  module.growMemory(memory.length);
  const trampoline = module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2];
  const words = new Int32Array(memory.buffer);
  words[(words[1] + trampoline) >>> 2] = module.HEAP32[trampoline >>> 2];
}

// One file of several: four bytes that say how long the list of names and lengths is, the list, the files.
export function unpacked(bytes) {
  const length = new DataView(bytes).getUint32(0, true), files = new Map();
  let start = 4 + length;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)))) {
    files.set(name, new Uint8Array(bytes, start, size));
    start += size;
  }
  return files;
}
