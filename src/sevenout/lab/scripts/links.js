// Links, forms, Back, and the menu at the top.
import { give, png } from "./copies.js";
import { star } from "./favourites.js";
import { read, tally } from "./files.js";
import { root, typing } from "./page.js";
import { turn } from "./theme.js";
import { unfollow, visit } from "./visit.js";

document.addEventListener("click", (e) => {
  if (e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
  closed(e.target);
  const copy = e.target.closest("[data-copy]");
  const kept = e.target.closest("[data-star]");
  if (kept) return void star(kept.dataset.star);
  if (copy) return void give(copy.dataset.copy, copy.dataset.link);
  if (e.target.closest("#theme")) return void turn();
  const link = e.target.closest("a[href]");
  if ("embedded" in root.dataset) return;
  if (!link || link.origin !== location.origin || link.target) return;
  if ("png" in link.dataset) { e.preventDefault(); return void png(link); }
  if (link.hasAttribute("download") || link.getAttribute("href").startsWith("#")) return;
  e.preventDefault();
  unfollow();
  visit(link.href);
});
document.addEventListener("submit", (e) => {
  const form = e.target;
  if (form.method !== "get") return;
  e.preventDefault();
  const shown = [...form.elements].filter((one) => one.name && one.type !== "hidden");
  const sent = shown.includes(typing.touched) ? typing.touched : shown.find((one) => one.tagName !== "BUTTON") ?? null;
  typing.dirty = null;
  if (form.dataset.faces) return void tally(form, "pasted rolls", form.elements.more.value);
  const said = [...new FormData(form, e.submitter)].filter(([, value]) => value);
  visit(`${new URL(form.action).pathname}?${new URLSearchParams(said)}`, "push", 300, sent);
});
document.addEventListener("input", (e) => { typing.dirty = typing.touched = e.target; });
document.addEventListener("change", (e) => {
  if (e.target.type === "file") return void read(e.target.files[0]);
  if ("send" in e.target.dataset && !("waits" in e.target.form.dataset)) e.target.form.requestSubmit();
});
addEventListener("popstate", () => visit(location.href, "pop"));

// The menu at the top closes by a click elsewhere, and by Escape.
function closed(target) {
  const menu = document.querySelector("details.share[open]");
  if (!menu || menu.contains(target)) return;
  menu.open = false;
  if (!target) menu.querySelector("summary").focus();
}
document.addEventListener("keydown", (e) => { if (e.key === "Escape") closed(null); });
