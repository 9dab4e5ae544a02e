// A file that is chosen or dropped: its text goes into the address; a log of rolls is counted; a proof is checked.
import { say } from "./notes.js";
import { keep, kept } from "./page.js";
import { visit } from "./visit.js";

export async function read(file) {
  const place = document.querySelector("[data-file]");
  if (!file || !place) return;
  if ("proof" in place.dataset) return prove(place, file);
  if (place.dataset.faces) return tally(place, file.name, await file.text());
  if (file.size > 12000 && !("packed" in place.dataset)) return say("The lab reads files of up to 12,000 characters");
  const field = place.querySelector("textarea");
  field.value = await file.text();
  if ("packed" in place.dataset && file.size > 2000) field.value = `~${await packed(file)}`;
  place.requestSubmit();
}
// A long text is packed, as the addresses of the lab hold it.
async function packed(file) {
  const stream = file.stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
document.addEventListener("dragover", (e) => { if (document.querySelector("[data-file]")) e.preventDefault(); });
document.addEventListener("drop", (e) => {
  if (!document.querySelector("[data-file]") || !e.dataTransfer.files.length) return;
  e.preventDefault();
  read(e.dataTransfer.files[0]);
});

// A proof is checked by Python: in this page, or by the server of this machine.
async function prove(place, file) {
  const verdict = place.querySelector("output");
  verdict.textContent = "The checker is at work …";
  try {
    verdict.textContent = window.lab ? await window.lab.prove(file)
      : await (await fetch("/proof", { method: "POST", body: file })).text();
  } catch (error) {
    verdict.textContent = `Not checked: ${error.message}`;
  }
}
export function tally(place, name, text) {
  const faces = place.dataset.faces.split(" "), most = Number(place.dataset.most);
  const words = text.replace(/^\uFEFF|#.*$/gm, "").split(/[\s,;]+/).filter(Boolean);
  if (words.length && !faces.includes(words[0])) words.shift(); // a header
  const places = words.map((word) => faces.indexOf(word)), wrong = places.indexOf(-1);
  if (wrong >= 0) return say(`“${words[wrong].slice(0, 20)}” is no face of this die`, true);
  const to = new URL(place.action), had = place.elements.taps.value, now = place.elements.counts.value;
  for (const key of ["tab", "dice"]) to.searchParams.set(key, place.elements[key].value);
  if (!now && had.length + places.length <= most) {
    to.searchParams.set("taps", had + places.map((i) => i.toString(36)).join(""));
    return visit(to.href);
  }
  const counts = now ? now.split(".").map(Number) : faces.map(() => 0);
  for (const i of places) counts[i] += 1;
  if (had) to.searchParams.set("taps", had);
  to.searchParams.set("counts", counts.join("."));
  to.searchParams.set("log", name.slice(0, 60));
  keep(`log:${name.slice(0, 60)}`, text); // if it is not kept, the page says so
  visit(to.href);
}
function logged() {
  const log = document.querySelector("[data-log]");
  if (!log) return;
  const text = kept(`log:${log.dataset.log}`);
  for (const each of log.querySelectorAll("[data-here]")) each.hidden = (each.dataset.here === "yes") !== (text !== null);
  const save = log.querySelector("a[download]");
  if (text !== null && save) save.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  log.querySelector("button").onclick = () => { localStorage.removeItem(`log:${log.dataset.log}`); logged(); };
}
document.addEventListener("lab:drawn", logged);
