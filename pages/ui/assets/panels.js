// A panel that is opened by keyboard takes the focus; behind its last field, or before its first, it closes.
(() => {
  "use strict";
  const BUTTON = '[data-testid="stPopoverButton"]';
  const PANEL = '[data-testid="stPopoverBody"]';
  const FIELDS = 'a[href], button, input, textarea, [tabindex="0"]';
  const LOADING = '[data-testid="stSkeleton"]'; // the place of a field whose code is still on its way
  const PATIENCE_MS = 10000; // on a busy machine too
  let opener = null; // the button of the panel that the keyboard has opened

  const fields = (panel) =>
    [...panel.querySelectorAll(FIELDS)].filter(
      (field) => field.tabIndex >= 0 && !field.disabled && field.checkVisibility(),
    );

  const enter = (until) => {
    const panel = document.querySelector(PANEL);
    const first = panel && !panel.querySelector(LOADING) && fields(panel)[0];
    if (document.activeElement !== opener) return;
    if (first) first.focus();
    else if (performance.now() < until) requestAnimationFrame(() => enter(until));
  };

  // The panel lies at the end of the document: seen from its button, Tab goes on to what the reader sees next.
  const leave = (event, panel) => {
    const all = fields(panel);
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (event.target !== edge || !opener?.isConnected) return;
    if (event.shiftKey) event.preventDefault();
    const button = opener;
    button.focus();
    setTimeout(() => button.getAttribute("aria-expanded") === "true" && button.click());
  };

  const pressed = (event) => {
    const button = event.target.closest?.(BUTTON);
    if (button && (event.key === "Enter" || event.key === " ")) {
      opener = button;
      const until = performance.now() + PATIENCE_MS;
      if (button.getAttribute("aria-expanded") !== "true") setTimeout(() => enter(until));
    }
    const panel = event.key === "Tab" && event.target.closest?.(PANEL);
    if (panel) leave(event, panel);
  };
  addEventListener("keydown", pressed, true);
  addEventListener("pointerdown", ({ target }) => (opener = target.closest?.(BUTTON) ?? opener), true);
})();
