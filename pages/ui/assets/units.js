// On a narrow screen a number keeps its unit on its line; a wide one has the text as it came.
(() => {
  "use strict";
  const NARROW = matchMedia("(max-width: 640px)");
  const UNIT = "(?=(?:%|[KMGT]i?B(?:\\/s)?|[GT]b(?:it)?\\/s|B|[mµn]?s|GPUs?|tokens\\/s)(?![\\w/]))";
  const LOOSE = new RegExp(`(?<=\\d) ${UNIT}`, "g");
  const TIED = new RegExp(`(?<=\\d)\u00a0${UNIT}`, "g");
  const AS_TYPED = "textarea, pre, code, script, style";

  const tie = (text) => {
    const before = text.nodeValue;
    const after = NARROW.matches ? before.replace(LOOSE, "\u00a0") : before.replace(TIED, " ");
    if (after !== before && !text.parentElement?.closest(AS_TYPED)) text.nodeValue = after;
  };

  const within = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    if (root.nodeType === Node.TEXT_NODE) tie(root);
    while (texts.nextNode()) tie(texts.currentNode);
  };

  NARROW.addEventListener("change", () => within(document.body));
  new MutationObserver((changes) => {
    if (!NARROW.matches) return;
    for (const { type, target, addedNodes } of changes)
      if (type === "characterData") tie(target);
      else addedNodes.forEach(within);
  }).observe(document, { childList: true, subtree: true, characterData: true });
})();
