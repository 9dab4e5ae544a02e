// What a page needs of a script: follow links without a flash, copy, keys, drag, pictures.
// Everything works without it: links are links, forms are forms.
(() => {
  "use strict";
  const root = document.documentElement;
  const kept = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;

  const content = () => document.getElementById("content");
  // Asks for an address; the static edition answers within the page.
  const ask = window.lab?.ask ?? ((url, signal) => fetch(url, { signal, headers: { accept: "text/html" } }));

  // --- from one page to the next ---------------------------------------------------------------
  let last = 0, running = null, dirty = null, touched = null, heavy = 0;

  // What takes longer than a second says so, and can be given up.
  function stop() {
    clearTimeout(heavy);
    delete root.dataset.busy;
    const box = document.getElementById("working");
    if (box) box.hidden = true;
  }
  function working() {
    let box = document.getElementById("working");
    if (!box) {
      box = document.createElement("div");
      box.id = "working";
      box.setAttribute("role", "status");
      const cancel = document.createElement("button"), bar = document.createElement("progress");
      bar.setAttribute("aria-label", "Being worked out");
      cancel.type = "button";
      cancel.textContent = "Cancel";
      cancel.addEventListener("click", () => {
        last += 1;
        running?.abort();
        stop();
        if ("waits" in root.dataset) history.back();
      });
      box.append(bar, "Being worked out …", cancel);
      document.body.append(box);
    }
    // Only one of the two bars at a time: while Python is on its way, that is what it waits for.
    box.hidden = !document.querySelector("#loading[hidden]") && Boolean(document.getElementById("loading"));
    if (box.hidden) heavy = setTimeout(working, 500);
  }

  async function visit(url, how = "push", wait = 300, sent = null) {
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
      if (window.lab) window.lab.save(answer);
      else location.assign(url);
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

  function show(page) {
    document.title = page.title;
    root.toggleAttribute("data-embedded", page.documentElement.hasAttribute("data-embedded"));
    const { id, name } = document.activeElement ?? {};
    const focused = id ? `#${CSS.escape(id)}` : name ? `[name="${CSS.escape(name)}"]` : "";
    const around = within(document.activeElement);
    for (const place of ["body > header", "main", "#bar", "body > footer"]) {
      const now = document.querySelector(place), then = page.querySelector(place);
      if (now && then) morph(now, then);
    }
    prepare();
    if (focused && isLost()) document.querySelector(focused)?.focus({ preventScroll: true });
    if (around.length && isLost()) refocus(around);
  }

  // What had the focus may be gone: then what was around it has it, or else the content.
  const isLost = () => !document.activeElement || document.activeElement === document.body;
  function within(one) {
    const around = [];
    for (let up = one; up && up !== document.body; up = up.parentElement) if (up.id) around.push(up.id);
    return around;
  }
  function refocus(around) {
    const place = around.map((id) => document.getElementById(id)).find(Boolean) ?? content();
    if (place.tabIndex < 0) place.setAttribute("tabindex", "-1");
    place.focus({ preventScroll: true });
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

  // Makes one element like another, keeping what is alike: focus, scroll and selection stay.
  function morph(now, then) {
    for (const { name } of [...now.attributes]) {
      if (!then.hasAttribute(name) && !(name === "open" && now.tagName === "DETAILS")) now.removeAttribute(name);
    }
    for (const { name, value } of then.attributes) {
      if (now.getAttribute(name) !== value) now.setAttribute(name, value);
    }
    if (now.tagName === "INPUT" || now.tagName === "TEXTAREA") {
      if (now.type === "radio") now.checked = then.hasAttribute("checked");
      const value = then.tagName === "INPUT" ? then.getAttribute("value") || "" : then.textContent;
      if (!(now === dirty && now === document.activeElement) && now.value !== value) now.value = value;
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

  // A page that is not finished names the address that goes on with it.
  let next = 0;
  function follow() {
    clearTimeout(next);
    const link = document.querySelector("a[data-next]");
    if (link) next = setTimeout(() => visit(link.href, "replace"), 30);
  }

  function say(text, lasting = false) {
    let note = document.getElementById("note");
    if (!note) {
      note = document.createElement("div");
      note.id = "note";
      note.setAttribute("role", "status");
      document.body.append(note);
    }
    note.textContent = text;
    clearTimeout(say.timer);
    if (text && !lasting) say.timer = setTimeout(() => { note.textContent = ""; }, 1800);
  }

  // --- links, forms, Back ----------------------------------------------------------------------
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
    clearTimeout(next);
    visit(link.href);
  });
  document.addEventListener("submit", (e) => {
    const form = e.target;
    if (form.method !== "get") return;
    e.preventDefault();
    const shown = [...form.elements].filter((one) => one.name && one.type !== "hidden");
    const sent = shown.includes(touched) ? touched : shown.find((one) => one.tagName !== "BUTTON") ?? null;
    dirty = null;
    if (form.dataset.faces) return void tally(form, "pasted rolls", form.elements.more.value);
    const said = [...new FormData(form, e.submitter)].filter(([, value]) => value);
    visit(`${new URL(form.action).pathname}?${new URLSearchParams(said)}`, "push", 300, sent);
  });
  document.addEventListener("input", (e) => { dirty = touched = e.target; });
  document.addEventListener("change", (e) => {
    if (e.target.type === "file") return void read(e.target.files[0]);
    if ("send" in e.target.dataset && !("waits" in e.target.form.dataset)) e.target.form.requestSubmit();
  });
  // --- a pay's slider: the edge beside it moves at once, the page when the hand rests -------------
  let rest = 0;
  document.addEventListener("input", (e) => {
    const slide = e.target.closest?.("input.slide");
    if (!slide) return;
    const { field, step, now, edge, falls } = slide.dataset, [top, below = 1] = step.split("/").map(Number);
    let n = Math.round((slide.value * below) / top) * top, d = below;
    for (let k = d; k > 1; k -= 1) if (n % k === 0 && d % k === 0) { n /= k; d /= k; }
    slide.form.elements[field].value = d === 1 ? `${n}` : `${n}/${d}`;
    const moved = Number(edge) - Number(falls) * (n / d - Number(now));
    slide.nextElementSibling.value = `${(100 * moved).toFixed(3).replace("-", "−")} %`;
    clearTimeout(rest);
    rest = setTimeout(() => { dirty = null; slide.form.requestSubmit(); }, 250);
  });
  addEventListener("popstate", () => visit(location.href, "pop"));

  // --- favourites: kept in this browser, shown where all games are ------------------------------
  function stars() {
    try { return JSON.parse(localStorage.getItem("stars")) || []; } catch { return []; }
  }
  function star(name) {
    const now = stars(), kept = now.includes(name) ? now.filter((one) => one !== name) : [...now, name];
    try { localStorage.setItem("stars", JSON.stringify(kept)); } catch { say("The browser keeps nothing"); }
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
      button.textContent = on ? "★" : "☆";
    }
    if (!place) return;
    const rows = now.map((name) => document.querySelector(`#games [data-star="${CSS.escape(name)}"]`)?.closest("li"));
    place.querySelector("ul").replaceChildren(...rows.filter(Boolean).map((row) => row.cloneNode(true)));
    place.hidden = !rows.some(Boolean);
  }

  // The menu at the top closes by a click elsewhere, and by Escape.
  function closed(target) {
    const menu = document.querySelector("details.share[open]");
    if (!menu || menu.contains(target)) return;
    menu.open = false;
    if (!target) menu.querySelector("summary").focus();
  }
  document.addEventListener("keydown", (e) => { if (e.key === "Escape") closed(null); });

  async function give(text, link = text) {
    const there = /^\.?\//.test(link) ? new URL(link, location.href).href : "";
    // A copied link carries its figures, where the page's own script can check them.
    const shared = there && !text.includes("<iframe") ? window.lab?.shared?.(there) ?? there : there;
    const whole = link === text && there ? shared : text.replace("{link}", shared);
    try { await navigator.clipboard.writeText(whole); say("Copied"); }
    catch { say("The browser does not let the page copy"); }
  }

  function turn() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* not kept */ }
  }

  async function png(link) {
    const svg = await (await ask(link.href)).text();
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => {
      const save = document.createElement("a");
      save.href = URL.createObjectURL(blob);
      save.download = link.download;
      save.click();
      setTimeout(() => URL.revokeObjectURL(save.href), 1000);
    });
  }

  // --- a file that is chosen or dropped: its text goes into the address -------------------------
  async function read(file) {
    const place = document.querySelector("[data-file]");
    if (!file || !place) return;
    if ("proof" in place.dataset) return prove(place, file);
    if (place.dataset.faces) return tally(place, file.name, await file.text());
    if (file.size > 12000 && !("packed" in place.dataset)) return say("The lab reads files of up to 12,000 characters");
    const field = place.querySelector("textarea");
    field.value = await file.text();
    if ("packed" in place.dataset && file.size > 2000) field.value = `~${await packed(file)}`;
    place.requestSubmit();
  }
  // A long text is packed, as the addresses of the lab hold it.
  async function packed(file) {
    const stream = file.stream().pipeThrough(new CompressionStream("deflate"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }
  document.addEventListener("dragover", (e) => { if (document.querySelector("[data-file]")) e.preventDefault(); });
  document.addEventListener("drop", (e) => {
    if (!document.querySelector("[data-file]") || !e.dataTransfer.files.length) return;
    e.preventDefault();
    read(e.dataTransfer.files[0]);
  });

  // A proof is checked by Python: in this page, or by the server of this machine.
  async function prove(place, file) {
    const verdict = place.querySelector("output");
    verdict.textContent = "The checker is at work …";
    try {
      verdict.textContent = window.lab ? await window.lab.prove(file)
        : await (await fetch("/proof", { method: "POST", body: file })).text();
    } catch (error) {
      verdict.textContent = `Not checked: ${error.message}`;
    }
  }
  function tally(place, name, text) {
    const faces = place.dataset.faces.split(" "), most = Number(place.dataset.most);
    const words = text.replace(/^\uFEFF|#.*$/gm, "").split(/[\s,;]+/).filter(Boolean);
    if (words.length && !faces.includes(words[0])) words.shift(); // a header
    const places = words.map((word) => faces.indexOf(word)), wrong = places.indexOf(-1);
    if (wrong >= 0) return say(`“${words[wrong].slice(0, 20)}” is no face of this die`, true);
    const to = new URL(place.action), had = place.elements.taps.value, now = place.elements.counts.value;
    for (const key of ["tab", "dice"]) to.searchParams.set(key, place.elements[key].value);
    if (!now && had.length + places.length <= most) {
      to.searchParams.set("taps", had + places.map((i) => i.toString(36)).join(""));
      return visit(to.href);
    }
    const counts = now ? now.split(".").map(Number) : faces.map(() => 0);
    for (const i of places) counts[i] += 1;
    if (had) to.searchParams.set("taps", had);
    to.searchParams.set("counts", counts.join("."));
    to.searchParams.set("log", name.slice(0, 60));
    try { localStorage.setItem(`log:${name.slice(0, 60)}`, text); } catch { /* said by the page */ }
    visit(to.href);
  }
  function logged() {
    const kept = document.querySelector("[data-log]");
    if (!kept) return;
    let text = null;
    try { text = localStorage.getItem(`log:${kept.dataset.log}`); } catch { /* not kept */ }
    for (const each of kept.querySelectorAll("[data-here]")) each.hidden = (each.dataset.here === "yes") !== (text !== null);
    const save = kept.querySelector("a[download]");
    if (text !== null && save) save.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    kept.querySelector("button").onclick = () => { localStorage.removeItem(`log:${kept.dataset.log}`); logged(); };
  }

  // --- the grid of totals: arrows move, letters set, a drag sets several -------------------------
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

  // --- chips: dragged from the hand to a spot of the felt, and from a spot off it -----------------
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

  // --- what only a script can offer --------------------------------------------------------------
  function prepare() {
    root.dataset.script = "";
    document.getElementById("theme").hidden = false;
    logged();
    starred();
  }
  document.addEventListener("DOMContentLoaded", () => {
    prepare();
    if ("waits" in root.dataset) visit(location.href, "replace"); // the static edition: not made yet
    else follow();
  });
})();
