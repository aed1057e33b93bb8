// On a narrow screen a number keeps its unit on its line.
(() => {
  "use strict";
  const NARROW = matchMedia("(max-width: 640px)");
  const LOOSE = /(\d) (?=(?:%|[KMGT]i?B(?:\/s)?|[GT]b(?:it)?\/s|B|[mµn]?s|GPUs?|tokens\/s)(?![\w/]))/g;
  const AS_TYPED = "textarea, pre, code, script, style";

  const tie = (text) => {
    const tied = text.nodeValue.replace(LOOSE, "$1\u00a0");
    if (tied !== text.nodeValue && !text.parentElement?.closest(AS_TYPED)) text.nodeValue = tied;
  };

  const within = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    if (root.nodeType === Node.TEXT_NODE) tie(root);
    while (texts.nextNode()) tie(texts.currentNode);
  };

  NARROW.addEventListener("change", () => NARROW.matches && within(document.body));
  new MutationObserver((changes) => {
    if (!NARROW.matches) return;
    for (const { type, target, addedNodes } of changes)
      if (type === "characterData") tie(target);
      else addedNodes.forEach(within);
  }).observe(document, { childList: true, subtree: true, characterData: true });
})();
