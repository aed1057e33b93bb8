// Lists show names; whoever types the id of the shell finds its entry too.
(() => {
  "use strict";
  const NAMES = {}; // by id, filled in where the script is served
  const LISTS = '[data-testid="stSelectbox"] input, [data-testid="stMultiSelect"] input';
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;

  const bare = (text) => text.toLowerCase().replace(/[\s-]+/g, "");

  // As Streamlit filters: the letters in this order, whatever stands between them.
  const finds = (text, name) => {
    let place = 0;
    return [...text.toLowerCase()].every((letter) => (place = name.toLowerCase().indexOf(letter, place) + 1));
  };

  // A text that finds the names of the ids that begin so; once the id is complete, the name itself.
  const readable = (text) => {
    const begin = bare(text);
    if (!begin) return text;
    const meant = Object.entries(NAMES).filter(([id]) => bare(id).startsWith(begin));
    const useful = [text, text.replaceAll("-", " "), begin].find((form) =>
      meant.some(([, name]) => finds(form, name)),
    );
    return useful ?? meant.find(([id]) => bare(id) === begin)?.[1] ?? text;
  };

  const typed = (event) => {
    const field = event.target;
    if (!field.matches?.(LISTS)) return;
    const text = readable(field.value);
    if (text !== field.value) write.call(field, text);
  };
  addEventListener("input", typed, true);
})();
