// The history of a page: every input that is accepted is an entry, and Back opens that very question.
(() => {
  "use strict";
  const SAME_FIELD_MS = 1500;
  const TYPED = ["NumberInput", "TextInput", "TextArea", "Slider"].map((part) => `[data-testid="st${part}"]`).join();
  const MENU = ["TopNavLink", "TopNavSection", "SidebarNavLink"].map((part) => `[data-testid="st${part}"]`).join();
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);

  // Streamlit looks for its server below a page's address first; it is where this script lies.
  window.__streamlit = {
    ...window.__streamlit,
    BACKEND_BASE_URL: new URL(".", document.currentScript.src).href,
  };

  let typed = true; // the last press was in a field that is typed or stepped: a choice is an entry, however soon the next
  let touched = false; // the reader has pressed something since the address last changed
  let correction = false; // the newest entry is a correction of the server that follows a press
  let returning = false; // the reader has come Back or gone Forward and pressed nothing since
  let lastField = "";
  let lastEdit = -Infinity;

  const touch = (event) => {
    if (event.isTrusted) {
      touched = true;
      typed = !!event.target.closest?.(TYPED);
      correction = returning = false;
    }
  };
  addEventListener("pointerdown", touch, true);
  addEventListener("keydown", touch, true);
  addEventListener("drop", touch, true); // of a file, without a press
  addEventListener("click", touch, true); // after the edit of a field that the press has left
  addEventListener("popstate", () => {
    touched = correction = false;
    returning = true;
    lastField = "";
  });

  // Until it has drawn its menu Streamlit does not know its pages: a way Back taken before is told once more.
  let early = false;
  const listed = () => !!document.querySelector(MENU);
  addEventListener("popstate", () => (early ||= !listed()));
  new MutationObserver((_, observer) => {
    if (!listed()) return;
    observer.disconnect();
    if (early) dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  }).observe(document, { subtree: true, childList: true });

  const path = (url) => new URL(url, location.href).pathname;

  const fields = (before, after) => {
    const [old, now] = [new URLSearchParams(before), new URLSearchParams(after)];
    const names = new Set([...old.keys(), ...now.keys()]);
    return [...names].filter((name) => String(old.getAll(name)) !== String(now.getAll(name))).sort();
  };

  const edited = (state, url) => {
    const field = fields(location.search, new URL(url, location.href).search).join();
    const again = typed && field === lastField && performance.now() - lastEdit < SAME_FIELD_MS;
    lastField = field;
    lastEdit = performance.now();
    touched = correction = false;
    (again ? replace : push)(state, "", url);
  };

  // Streamlit replaces the address by an absolute one on an edit, by a relative one on its way Back: there
  // the entry stays as it is, and answers still on their way to a page that was left change nothing.
  history.replaceState = (state, unused, url) => {
    const same = !url || new URL(url, location.href).href === location.href;
    if (!same && /^https?:/.test(url) && path(url) === location.pathname) edited(state, url);
    else if (!returning) replace(state, unused, url);
  };

  // Streamlit pushes where the server changes the address, and where the page changes.
  history.pushState = (state, unused, url) => {
    if (returning) return;
    const elsewhere = path(url) !== location.pathname;
    // On its way to another page the server first strips the address of this one: that is no entry.
    (elsewhere ? !correction : touched) ? push(state, unused, url) : replace(state, unused, url);
    correction = !elsewhere && (correction || touched);
    touched = false;
    if (elsewhere) lastField = "";
  };
})();
