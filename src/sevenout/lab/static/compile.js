// Compiles the archives of Python's library and of the lab, with the Python that reads them.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "./pyodide.js";

const folder = fileURLToPath(new URL("./", import.meta.url));
const made = await loadPyodide({ indexURL: folder });
for (const name of ["python_stdlib.zip", "lab.zip", "compile.py"]) made.FS.writeFile(`/${name}`, readFileSync(folder + name));
made.runPython(made.FS.readFile("/compile.py", { encoding: "utf8" }));
for (const name of ["python_stdlib.zip", "lab.zip"]) writeFileSync(folder + name, made.FS.readFile(`/compiled-${name}`));
