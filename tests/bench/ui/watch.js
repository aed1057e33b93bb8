// Notes when the headline and the last chart change after a key press.
(() => {
  if (window.watched) return;
  const times = { start: 0, headline: 0, chart: 0 };
  window.watched = times;
  addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      times.start = performance.now();
      times.headline = 0;
      times.chart = 0;
    }
  }, true);
  const inside = (node, selector) => {
    const element = node.nodeType === 1 ? node : node.parentElement;
    return element && (element.closest(selector) || element.querySelector?.(selector));
  };
  const note = (records) => {
    const now = performance.now();
    for (const record of records) {
      for (const node of [record.target, ...record.addedNodes]) {
        if (inside(node, ".st-key-headline")) times.headline = times.headline || now;
        if (inside(node, '[data-testid="stVegaLiteChart"]')) times.chart = now;
      }
    }
  };
  const observe = () => new MutationObserver(note).observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["d", "transform"],
  });
  if (document.body) observe(); else addEventListener("DOMContentLoaded", observe);
})();
