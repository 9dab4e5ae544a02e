// A pay's slider: the edge beside it moves at once, the page when the hand rests.
import { typing } from "./page.js";

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
  rest = setTimeout(() => { typing.dirty = null; slide.form.requestSubmit(); }, 250);
});
