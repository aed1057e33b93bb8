// In an opened menu Tab goes from page to page, as the arrow keys do; behind the last it leaves the menu.
(() => {
  "use strict";
  const ITEMS = '[data-testid="stTopNavDropdownLink"]';

  const step = (event) => {
    const item = event.key === "Tab" && event.target.closest?.(`[role="menu"] ${ITEMS}`);
    if (!item) return;
    const items = [...item.closest('[role="menu"]').querySelectorAll(ITEMS)];
    const next = items[items.indexOf(item) + (event.shiftKey ? -1 : 1)];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };
  addEventListener("keydown", step, true);
})();
