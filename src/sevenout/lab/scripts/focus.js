// What had the focus may be gone from a new page: then what was around it has it, or else the content.
import { content } from "./page.js";

export const isLost = () => !document.activeElement || document.activeElement === document.body;
export function within(one) {
  const around = [];
  for (let up = one; up && up !== document.body; up = up.parentElement) if (up.id) around.push(up.id);
  return around;
}
export function refocus(around) {
  const place = around.map((id) => document.getElementById(id)).find(Boolean) ?? content();
  if (place.tabIndex < 0) place.setAttribute("tabindex", "-1");
  place.focus({ preventScroll: true });
}
