// Favourite games: kept in this browser, shown where all games are.
import { isLost, refocus } from "./focus.js";
import { say } from "./notes.js";
import { keep, kept } from "./page.js";

function stars() {
  try { return JSON.parse(kept("stars")) || []; } catch { return []; }
}
export function star(name) {
  const before = stars(), now = before.includes(name) ? before.filter((one) => one !== name) : [...before, name];
  if (!keep("stars", JSON.stringify(now))) say("The browser keeps nothing");
  const again = `#favourites [data-star="${CSS.escape(name)}"]`, above = document.activeElement.matches(again);
  starred();
  document.querySelector(above ? again : "nothing")?.focus({ preventScroll: true });
  if (isLost()) refocus(["favourites", "content"].slice(document.querySelector("#favourites[hidden]") ? 1 : 0));
}
function starred() {
  const now = stars(), place = document.getElementById("favourites");
  for (const button of document.querySelectorAll("[data-star]")) {
    const on = now.includes(button.dataset.star);
    button.hidden = false;
    button.setAttribute("aria-pressed", on);
  }
  if (!place) return;
  const rows = now.map((name) => document.querySelector(`#games [data-star="${CSS.escape(name)}"]`)?.closest("li"));
  place.querySelector("ul").replaceChildren(...rows.filter(Boolean).map((row) => row.cloneNode(true)));
  place.hidden = !rows.some(Boolean);
}

document.addEventListener("lab:drawn", starred);
