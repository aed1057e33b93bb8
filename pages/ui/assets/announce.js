// Reads the new headline to a screen reader, once it stands still and only where it is another.
(() => {
  "use strict";
  const SETTLE_MS = 400;
  const region = document.createElement("div");
  region.id = "announcement";
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  region.style.cssText =
    "position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";

  let shown = null; // the headline that the reader knows
  let waiting = 0;

  const announce = () => {
    const text = document.querySelector(".st-key-headline")?.innerText.split("\n")[0].trim();
    if (!text || text === shown) return;
    if (shown !== null) region.textContent = text;
    shown = text;
  };

  addEventListener("DOMContentLoaded", () => {
    document.body.append(region);
    new MutationObserver((changes) => {
      if (changes.every((change) => region.contains(change.target))) return;
      clearTimeout(waiting);
      waiting = setTimeout(announce, shown === null ? 0 : SETTLE_MS);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
})();
