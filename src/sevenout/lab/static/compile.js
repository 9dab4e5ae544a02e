// Compiles the archives of Python's library and of the lab, with the Python that reads them.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "./pyodide.js";

const folder = fileURLToPath(new URL("./", import.meta.url));
const pyodide = await loadPyodide({ indexURL: folder });
for (const name of ["python_stdlib.zip", "lab.zip", "compile.py"]) pyodide.FS.writeFile(`/${name}`, readFileSync(folder + name));
pyodide.runPython(pyodide.FS.readFile("/compile.py", { encoding: "utf8" }));
for (const name of ["python_stdlib.zip", "lab.zip"]) writeFileSync(folder + name, pyodide.FS.readFile(`/compiled-${name}`));
