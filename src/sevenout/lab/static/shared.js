// A link that is copied carries the headline figures of its page in its fragment, with their names and
// the title. Whoever opens it sees them at once, under the rules that the address holds, and marked as
// not yet checked; when Python has worked the page out, they are confirmed or struck out.
//
// A solver in JavaScript would need no trust, but 200 lines of it know point games alone, and would be a
// third implementation of what two witness already. The fragment works for every page, is never sent to
// a server, and is text: whatever it says, nothing of it is run.
const MAX = { title: 120, figures: 4, text: 80 };

// --- the fragment ----------------------------------------------------------------------------------

/** The fragment for a title and figures, each [value, name]. */
export function written({ title, figures }) {
  const fields = new URLSearchParams({ title });
  for (const [value, name] of figures) fields.append("figure", `${value}|${name}`);
  return `#shared&${fields}`;
}

/** What a fragment says; null for any other fragment. Longer than a page would say it is cut. */
export function read(fragment) {
  if (!fragment.startsWith("#shared&")) return null;
  const fields = new URLSearchParams(fragment.slice(8));
  const figures = fields.getAll("figure").slice(0, MAX.figures).map((text) => {
    const [value, ...name] = text.split("|");
    return [value.slice(0, MAX.text), name.join("|").slice(0, MAX.text)];
  });
  return { title: (fields.get("title") ?? "").slice(0, MAX.title), figures };
}

// --- the rules, as the address holds them ----------------------------------------------------------

const ROLES = ["Loses at once", "Wins at once", "Loses later"];

/** The rules of a page's address, as rows of [role, totals]; empty for what isn't a point game. */
export function rules(game) {
  const [totals, ...options] = game.split(";"), [roles, dice = "2d6"] = totals.split("@");
  if (!/^[\d,]*(\/[\d,]*){1,2}$/.test(roles)) return [];
  const rows = roles.split("/").map((text, k) => [ROLES[k], text.split(",").filter(Boolean).join(", ") || "nothing"]);
  return [["Dice", dice], ...rows, ["Every other total", "is a point"], ...options.map((text) => ["Changed", text])];
}

/** A title for a game before its page is there. */
export function titled(game, tab) {
  const [name, ...options] = game.split(";");
  // A name of the catalogue becomes words; a game that is only totals is called by the page.
  const words = /^[a-z][a-z0-9-]*$/.test(name) ? name[0].toUpperCase() + name.slice(1).replaceAll("-", " ") : name;
  return [words || tab, ...options].join(", ").slice(0, MAX.title);
}

// --- in the page -----------------------------------------------------------------------------------

const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();

/** The title and the figures of a page. */
export function headline(content) {
  const figures = [...content.querySelectorAll(".hero .figure")].slice(0, MAX.figures);
  return {
    title: plain(content.querySelector("h1")?.textContent),
    figures: figures.map((one) => [".value", ".what"].map((part) => plain(one.querySelector(part)?.textContent))),
  };
}

function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

function drawn(rows) {
  const cells = rows.flatMap(([role, totals]) => [element("dt", {}, role), element("dd", {}, totals)]);
  return element("dl", { class: "shared-rules" }, ...cells);
}

function figure([value, name], k) {
  const parts = [element("span", { class: "what" }, name), element("span", { class: "value" }, value)];
  return element("div", { class: k ? "figure" : "figure big" }, ...parts);
}

/** What is known before the answer: what is asked, its rules, and what the link said. */
function announced(shared) {
  const game = new URLSearchParams(location.search).get("game") ?? "";
  const tab = document.querySelector("nav [aria-current]")?.textContent ?? "";
  const title = shared?.title || titled(game, tab), rows = rules(game);
  document.title = `${title} · sevenout`;
  const box = element("div", { id: "awaited" }, element("h1", {}, title));
  if (rows.length) box.append(drawn(rows));
  if (shared?.figures.length) {
    box.append(element("div", { class: "hero" }, ...shared.figures.map(figure)));
    box.append(element("p", { role: "status", class: "shared" }, "As shared, checking …"));
  } else box.append(element("p", {}, "This page is worked out in your browser, as soon as Python is there."));
  document.getElementById("content").prepend(box);
}

/** Compares what the link said with what the page says now. */
function checked(shared) {
  const content = document.getElementById("content"), figures = headline(content).figures.map((pair) => pair.join("|"));
  const wrong = shared.figures.filter((pair) => !figures.includes(pair.join("|")));
  const note = element("p", { id: "shared", role: "status", class: "shared" });
  if (!wrong.length) note.append("The figures of the link are confirmed.");
  else {
    note.append("The link said ");
    wrong.forEach(([value, name], k) => note.append(k ? ", " : "", element("del", {}, `${name} ${value}`)));
    note.append("; the figures here are the right ones.");
  }
  (content.querySelector(".hero") ?? content.querySelector("h1"))?.after(note);
}

if (globalThis.document) {
  if (window.lab) window.lab.shared = (link) => link + written(headline(document.getElementById("content")));
  if ("waits" in document.documentElement.dataset) {
    const shared = read(location.hash);
    announced(shared);
    if (shared?.figures.length) document.addEventListener("lab:shown", function check() {
      if (document.querySelector("a[data-next]")) return; // the page isn't finished
      document.removeEventListener("lab:shown", check);
      checked(shared);
    });
  }
}
