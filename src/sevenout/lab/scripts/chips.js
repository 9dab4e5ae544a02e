// Chips: dragged from the hand to a spot of the felt, and from a spot off it.
import { visit } from "./visit.js";

let carried = null;
document.addEventListener("pointerdown", (e) => {
  const from = e.button ? null : e.target.closest("[data-chip], [data-on]");
  const chip = from?.querySelector(".stack, .word");
  carried = chip ? { from, chip, x: e.clientX, y: e.clientY, ghost: null } : null;
});
document.addEventListener("pointermove", (e) => {
  if (!carried) return;
  if (!carried.ghost) {
    if (Math.hypot(e.clientX - carried.x, e.clientY - carried.y) < 8) return;
    carried.ghost = carried.chip.cloneNode(true);
    carried.ghost.classList.add("carried");
    document.body.append(carried.ghost);
  }
  carried.ghost.style.left = `${e.clientX}px`;
  carried.ghost.style.top = `${e.clientY}px`;
  const over = document.elementFromPoint(e.clientX, e.clientY)?.closest("[data-spot]");
  for (const spot of document.querySelectorAll(".spot.over")) if (spot !== over) spot.classList.remove("over");
  over?.classList.add("over");
});
const dropped = (e) => {
  const { from, ghost } = carried ?? {};
  carried = null;
  if (!ghost) return;
  ghost.remove();
  const spot = document.elementFromPoint(e.clientX, e.clientY)?.closest("[data-spot]"), form = document.getElementById("seat");
  spot?.classList.remove("over");
  const stop = (click) => { click.preventDefault(); click.stopPropagation(); };
  document.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", stop, { capture: true }), 50);
  if (e.type !== "pointerup" || !form) return;
  const radio = from.querySelector("input");
  if (radio && spot) {
    radio.checked = true;
    form.requestSubmit(spot);
  } else if (!radio && !spot) { // off the felt
    const asks = new URLSearchParams(new FormData(form));
    asks.set("do", `down ${from.value}`);
    visit(`${new URL(form.action).pathname}?${asks}`);
  }
};
document.addEventListener("pointerup", dropped);
document.addEventListener("pointercancel", dropped);
