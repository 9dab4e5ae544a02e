// Python for the page, started alike where its memory is written down and where it is read again.
import { loadPyodide } from "./pyodide.js";
import createModule from "./pyodide.asm.js";

// The compiled libraries stand before Python starts, in one order: so the addresses in a memory that
// was written down hold wherever it is read. The memory may still be on its way.
export function python(folder, libraries, more, memory = null, filled = null) {
  return loadPyodide({
    indexURL: folder,
    env: { HOME: "/home/pyodide" },
    ...(memory ? { _loadSnapshot: memory } : {}),
    ...more,
    async createPyodideModule(settings) {
      settings.libraries = unpacked(await libraries);
      settings.dynamicLibraries = [...settings.libraries.keys()];
      const module = await createModule(settings);
      await filled;
      if (memory) prepared(module, memory);
      return module;
    },
  });
}

// Python has as much memory as it had, which names this browser's way to call what is compiled.
function prepared(module, memory) {
  module.growMemory(memory.length);
  const place = module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2];
  const words = new Int32Array(memory.buffer);
  words[(words[1] + place) >>> 2] = module.HEAP32[place >>> 2];
}

// One file of several: four bytes that say how long the list of names and lengths is, the list, the files.
function unpacked(bytes) {
  const length = new DataView(bytes).getUint32(0, true), files = new Map();
  let at = 4 + length;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)))) {
    files.set(name, new Uint8Array(bytes, at, size));
    at += size;
  }
  return files;
}
