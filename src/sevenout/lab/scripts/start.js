// What only a script can offer appears; the first page is shown.
import { root } from "./page.js";
import { follow, visit } from "./visit.js";

document.addEventListener("lab:drawn", () => {
  root.dataset.script = "";
  document.getElementById("theme").hidden = false;
});
document.addEventListener("DOMContentLoaded", () => {
  document.dispatchEvent(new Event("lab:drawn"));
  if ("waits" in root.dataset) visit(location.href, "replace"); // the static edition: not made yet
  else follow();
});
