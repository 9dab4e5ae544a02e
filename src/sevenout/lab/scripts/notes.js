// A line at the bottom of the page, for what has no place in it.

export function say(text, lasting = false) {
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
