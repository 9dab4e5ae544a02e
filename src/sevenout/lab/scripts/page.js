// What all scripts share: the document, how an address is asked for, the field in use.

export const root = document.documentElement;
export const content = () => document.getElementById("content");

// Asks for an address; the static edition answers within the page.
export const ask = window.lab?.ask ?? ((url, signal) => fetch(url, { signal, headers: { accept: "text/html" } }));

// The field that is being typed in, whose text an answer doesn't replace; and the one changed last.
export const typing = { dirty: null, touched: null };

// What this browser keeps; a browser may keep nothing.
export function kept(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}
export function keep(key, text) {
  try { localStorage.setItem(key, text); return true; } catch { return false; }
}
