// Number fields: what is typed is understood or refused in words, never taken for another number.
(() => {
  "use strict";
  const FIELD = '[data-testid="stNumberInputField"]';
  const BINARY = { ki: 2 ** 10, mi: 2 ** 20, gi: 2 ** 30 };
  const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const GROUPED = /^[+-]?\d{1,3}([, \u00a0\u202f_']\d{3})+(\.\d+)?$/;
  // Above what any field of ours takes, and below what Streamlit clamps to.
  const LARGEST = 1e15;
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const accepted = new WeakMap(); // the text of each field that was last taken for its number

  const shown = (number) => number.toLocaleString("en-US", { maximumSignificantDigits: 12 });

  // The number that a text means, or the sentence that says why it means none.
  const read = (text) => {
    if (PLAIN.test(text)) return Number(text);
    if (GROUPED.test(text)) return Number(text.replace(/[^\d.+-]/g, ""));
    const [, digits, unit] = text.match(/^(\S+?)\s*(ki|mi|gi|k|m|g)$/i) ?? [];
    if (digits === undefined || !PLAIN.test(digits)) return `“${text.slice(0, 24)}” is not a number`;
    const binary = BINARY[`${unit[0]}i`.toLowerCase()] * Number(digits);
    if (unit.length === 2) return binary;
    const decimal = 1000 ** ("kmg".indexOf(unit.toLowerCase()) + 1) * Number(digits);
    return `“${text}” may be ${shown(decimal)} or ${shown(binary)}: type the number`;
  };

  const say = (field, text) => {
    const box = field.closest('[data-testid="stNumberInput"]');
    box.querySelector(".number-note")?.remove();
    const note = document.createElement("div");
    note.className = "number-note";
    note.setAttribute("role", "alert");
    note.textContent = text;
    box.append(note);
  };

  const put = (field, text) => {
    write.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const used = (field, text) => (text === "" ? "the field is empty" : `${shown(Number(field.value))} is used`);

  const settle = (field) => {
    const text = field.value.trim();
    const former = accepted.get(field) ?? "";
    if (text === former || text === "") {
      accepted.set(field, text);
      return;
    }
    const number = read(text);
    const refused = Math.abs(number) > LARGEST ? `“${text.slice(0, 24)}” is too large a number` : number;
    if (typeof refused === "string") {
      put(field, former);
      say(field, `${refused}; ${used(field, former)}.`);
      return;
    }
    const [low, high] = [Number(field.min || -Infinity), Number(field.max || Infinity)];
    const within = Math.min(Math.max(number, low), high);
    if (String(within) !== text) put(field, String(within));
    const limit = number < low ? `At least ${shown(low)}` : `At most ${shown(high)}`;
    if (within !== number) say(field, `${limit}, not ${shown(number)}; ${used(field, "1")}.`);
    // Once Streamlit has taken it: a field of whole numbers drops what stands behind the point.
    setTimeout(() => {
      accepted.set(field, field.value);
      if (field.value !== "" && Number(field.value) !== within)
        say(field, `A whole number, not ${shown(within)}; ${used(field, "1")}.`);
    });
  };

  addEventListener(
    "focusin",
    ({ target }) => target.matches?.(FIELD) && accepted.set(target, target.value),
    true,
  );
  addEventListener("focusout", ({ target }) => target.matches?.(FIELD) && settle(target), true);
  addEventListener(
    "keydown",
    ({ key, target }) => target.matches?.(FIELD) && key === "Enter" && settle(target),
    true,
  );
  addEventListener(
    "input",
    ({ isTrusted }) => isTrusted && document.querySelectorAll(".number-note").forEach((note) => note.remove()),
    true,
  );

  // The browser's own number field hides letters and commas from us, or drops them in silence.
  const open = (field) => {
    field.type = "text";
    field.inputMode = "decimal";
    field.autocomplete = "off";
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (node.matches?.(FIELD)) open(node);
        node.querySelectorAll?.(FIELD).forEach(open);
      }
  }).observe(document, { childList: true, subtree: true });
})();
