// The grid of totals: arrows move, letters set, a drag sets several.
import { visit } from "./visit.js";

const KEYS = { n: "natural", c: "craps", p: "point", s: "push", a: "again", o: "out" };
document.addEventListener("keydown", (e) => {
  if (e.metaKey || e.ctrlKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  const cell = e.target.closest("a.cell");
  if (cell) {
    const row = cell.closest("tr"), at = [...row.cells].indexOf(cell.parentNode);
    const to = (r, i) => r?.cells[i]?.querySelector("a.cell");
    const way = {
      ArrowLeft: () => to(row, at - 1), ArrowRight: () => to(row, at + 1),
      ArrowUp: () => to(row.previousElementSibling, at), ArrowDown: () => to(row.nextElementSibling, at),
    }[e.key];
    if (way) { e.preventDefault(); way()?.focus(); }
    const wanted = KEYS[e.key] && row.parentNode.querySelector(
      `a[data-role="${KEYS[e.key]}"][data-total="${cell.dataset.total}"]`);
    if (wanted) { e.preventDefault(); wanted.focus(); wanted.click(); }
  }
  if (e.key === " " && !e.repeat && !/^(BUTTON|A|SUMMARY)$/.test(e.target.tagName)) {
    const roll = document.querySelector("[data-space]");
    if (roll) { e.preventDefault(); roll.click(); }
  }
});
let drag = null;
document.addEventListener("pointerdown", (e) => {
  const cell = e.button ? null : e.target.closest("a.cell");
  drag = cell && { role: cell.dataset.role, totals: new Set([cell.dataset.total]) };
});
document.addEventListener("pointermove", (e) => {
  if (!drag || drag.role === "out" || e.pointerType === "touch") return;
  const cell = document.elementFromPoint(e.clientX, e.clientY)?.closest("a.cell");
  if (cell?.dataset.role === drag.role && !drag.totals.has(cell.dataset.total)) {
    drag.totals.add(cell.dataset.total);
    for (const each of document.querySelectorAll(`a.cell[data-role="${drag.role}"]`)) {
      each.classList.toggle("marked", drag.totals.has(each.dataset.total));
    }
  }
});
document.addEventListener("dragstart", (e) => { if (e.target.closest?.("a.cell")) e.preventDefault(); });
document.addEventListener("pointerup", () => {
  const done = drag;
  drag = null;
  if (!done || done.totals.size < 2) return;
  const stop = (e) => { e.preventDefault(); e.stopPropagation(); };
  document.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", stop, { capture: true }), 50);
  const url = new URL(location.href);
  url.searchParams.set("to-set", `${done.role}:${[...done.totals].join(",")}`);
  visit(url.href);
});
