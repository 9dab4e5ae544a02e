// Writes down the memory of a Python that has imported the lab and looked at some of its pages.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "./python.js";

const folder = fileURLToPath(new URL("./", import.meta.url));
const read = (name) => new Uint8Array(readFileSync(folder + name));
const made = await python(folder, read("flint.libraries").buffer, { _makeSnapshot: true });
made.unpackArchive(read("flint.zip"), "zip", { extractDir: "/lib/flint" });
made.FS.writeFile("/lib/lab.zip", read("lab.zip"));
made.runPython(`
import sys
sys.path[:0] = ["/lib/lab.zip", "/lib/flint"]
from sevenout.lab.static import places
places.warm()
`);
writeFileSync(`${folder}memory`, made.makeMemorySnapshot());
