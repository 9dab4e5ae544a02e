// Makes one element like another, keeping what is alike: focus, scroll and selection stay.
// idiomorph (https://github.com/bigskysoftware/idiomorph) does the same in over a thousand lines.
import { typing } from "./page.js";

export function morph(now, then) {
  for (const { name } of [...now.attributes]) {
    if (!then.hasAttribute(name) && !(name === "open" && now.tagName === "DETAILS")) now.removeAttribute(name);
  }
  for (const { name, value } of then.attributes) {
    if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  }
  if (now.tagName === "INPUT" || now.tagName === "TEXTAREA") {
    if (now.type === "radio") now.checked = then.hasAttribute("checked");
    const value = then.tagName === "INPUT" ? then.getAttribute("value") || "" : then.textContent;
    if (!(now === typing.dirty && now === document.activeElement) && now.value !== value) now.value = value;
    if (now.tagName === "TEXTAREA") return;
  }
  const old = [...now.childNodes], fresh = [...then.childNodes];
  const named = new Map(old.filter((n) => n.id).map((n) => [n.id, n]));
  let at = now.firstChild;
  for (const node of fresh) {
    let match = node.id && named.get(node.id);
    if (match && match.nodeName !== node.nodeName) match = null;
    if (!match) {
      while (at && at.id && !then.querySelector(`:scope > [id="${CSS.escape(at.id)}"]`)) {
        const gone = at;
        at = at.nextSibling;
        gone.remove();
      }
      if (at && !at.id && !node.id && at.nodeType === node.nodeType && at.nodeName === node.nodeName) match = at;
    }
    if (!match) {
      now.insertBefore(document.importNode(node, true), at);
      continue;
    }
    while (at && at !== match && match.id && !at.id) { // what is moved loses the focus
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
    if (match === at) at = at.nextSibling;
    else now.insertBefore(match, at);
    if (match.nodeType === Node.ELEMENT_NODE) morph(match, node);
    else if (match.data !== node.data) match.data = node.data;
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
  if (now.tagName === "SELECT") {
    const chosen = then.querySelector("option[selected]");
    now.value = chosen ? chosen.value : then.querySelector("option")?.value ?? "";
  }
}
