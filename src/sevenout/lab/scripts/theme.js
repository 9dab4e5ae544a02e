// Light or dark: as the system has it, until somebody turns it.
import { keep, kept, root } from "./page.js";

const theme = kept("theme");
if (theme === "light" || theme === "dark") root.dataset.theme = theme;

export function turn() {
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep("theme", root.dataset.theme);
}
