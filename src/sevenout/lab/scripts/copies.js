// Copying texts and links, and saving a picture.
import { say } from "./notes.js";
import { ask } from "./page.js";

export async function give(text, link = text) {
  const there = /^\.?\//.test(link) ? new URL(link, location.href).href : "";
  // A copied link carries its figures, where the page's own script can check them.
  const shared = there && !text.includes("<iframe") ? window.lab?.shared?.(there) ?? there : there;
  const whole = link === text && there ? shared : text.replace("{link}", shared);
  try { await navigator.clipboard.writeText(whole); say("Copied"); }
  catch { say("The browser does not let the page copy"); }
}

export async function png(link) {
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
