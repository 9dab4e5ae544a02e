// From one page to the next without a flash: the answer becomes the page, and the address its own.
import { isLost, refocus, within } from "./focus.js";
import { morph } from "./morph.js";
import { say } from "./notes.js";
import { ask, content, root } from "./page.js";

let last = 0, running = null, heavy = 0, next = 0;

// What takes longer than a second says so, and can be given up.
function stop() {
  clearTimeout(heavy);
  delete root.dataset.busy;
  document.getElementById("working")?.remove();
}
function working() {
  // While Python is on its way, its own bar says so.
  if (document.querySelector("#loading:not([hidden])")) {
    heavy = setTimeout(working, 500);
    return;
  }
  // One box is enough, and a page that waits has a bar and a way to cancel of its own.
  if (document.querySelector("#working, main progress")) return;
  const box = document.createElement("div"), bar = document.createElement("progress");
  const cancel = document.createElement("button");
  box.id = "working";
  box.setAttribute("role", "status");
  bar.setAttribute("aria-label", "Being worked out");
  cancel.type = "button";
  cancel.textContent = "Cancel";
  cancel.addEventListener("click", () => {
    last += 1;
    running?.abort();
    stop();
    // There is no page here yet; in a new tab there is none before it either.
    if ("waits" in root.dataset) history.length > 1 ? history.back() : location.assign(location.pathname);
  });
  box.append(bar, "Being worked out …", cancel);
  document.body.append(box);
}

export async function visit(url, how = "push", wait = 300, sent = null) {
  const mine = ++last, typed = sent?.value;
  running?.abort();
  running = new AbortController();
  root.dataset.busy = "";
  clearTimeout(heavy);
  heavy = setTimeout(working, 1000);
  let answer, text;
  try {
    answer = await ask(url, running.signal);
    text = await answer.text();
  } catch (error) {
    if (mine !== last || error.name === "AbortError") return;
    clearTimeout(heavy);
    say("The lab does not answer. Nothing is lost: all you did is in the address. Trying again …", true);
    setTimeout(() => { if (mine === last) visit(url, how, Math.min(wait * 2, 5000), sent); }, wait);
    return;
  }
  if (mine !== last) return;
  stop();
  say("");
  if (!(answer.headers.get("content-type") || "").startsWith("text/html")) {
    if (!window.lab) return location.assign(url);
    window.lab.save(answer);
    // The file of a card, opened by its own address, has its page shown below it.
    if ("waits" in root.dataset) visit(withoutFile(url), "replace");
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html"), wrong = sent && complaint(page);
  if (wrong && !page.getElementsByName(sent.name).length) return complain(sent, typed, wrong);
  const before = content().dataset.path;
  if (how === "push" && answer.url !== location.href) history.pushState(null, "", answer.url);
  else if (how !== "pop") history.replaceState(null, "", answer.url);
  show(page);
  if (wrong) complain(document.querySelector(`[name="${CSS.escape(sent.name)}"]`), typed, wrong);
  if (content().dataset.path !== before && how !== "pop") {
    scrollTo(0, 0);
    content().focus({ preventScroll: true });
  }
  document.dispatchEvent(new Event("lab:shown"));
  follow();
}

function withoutFile(url) {
  const page = new URL(url, location.href);
  // Not by `searchParams`, which would escape the commas of rules.
  page.search = page.search.slice(1).split("&").filter((field) => !/^(card|as)=/.test(field)).join("&");
  return page.href;
}

function show(page) {
  document.title = page.title;
  root.toggleAttribute("data-embedded", page.documentElement.hasAttribute("data-embedded"));
  const { id, name } = document.activeElement ?? {};
  const focused = id ? `#${CSS.escape(id)}` : name ? `[name="${CSS.escape(name)}"]` : "";
  const around = within(document.activeElement);
  // Until here the static edition hides the file's own page, which is that of another address.
  delete root.dataset.waits;
  for (const place of ["body > header", "main", "#bar", "body > footer"]) {
    const now = document.querySelector(place), then = page.querySelector(place);
    if (now && then) morph(now, then);
  }
  document.dispatchEvent(new Event("lab:drawn"));
  if (focused && isLost()) document.querySelector(focused)?.focus({ preventScroll: true });
  if (around.length && isLost()) refocus(around);
}

// What is wrong stands beside the field that was changed. Where the answer has no such field, the page
// stays as it is.
const complaint = (page) => page.querySelector("main .problem[role=alert] > p, main .call .refused")?.textContent;
function complain(field, typed, text) {
  document.getElementById("wrong")?.remove();
  const line = document.createElement("span");
  line.id = "wrong";
  line.setAttribute("role", "alert");
  line.textContent = text;
  field.value = typed;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", "wrong");
  (field.closest("label, td") ?? field).after(line);
  field.focus({ preventScroll: true });
}

export function unfollow() {
  clearTimeout(next);
}

// A page that is not finished names the address that goes on with it.
export function follow() {
  unfollow();
  const link = document.querySelector("a[data-next]");
  if (link) next = setTimeout(() => visit(link.href, "replace"), 30);
}
