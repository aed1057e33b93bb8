// An element that a run leaves as it was is not drawn anew: its part of Streamlit's script is told here what to compare.
(() => {
  "use strict";
  const WITH_EACH_RUN = ["balloons", "snow", "toast"]; // drawn again though nothing of them has changed
  const kept = new Map();

  // Streamlit keeps an element's object where the server sends the same again; the node around it is another in each run.
  const sameNode = (former, next) =>
    former === next ||
    (former.element === next.element &&
      former.fragmentId === next.fragmentId &&
      !WITH_EACH_RUN.includes(next.element.type));

  // What asks itself whether it is out of date needs the node of this run.
  const same = (former, next) => {
    const names = Object.keys(next);
    const drawn = "isStale" in next;
    return (
      names.length === Object.keys(former).length &&
      names.every((name) =>
        drawn && name === "node" ? sameNode(former.node, next.node) : Object.is(former[name], next[name]),
      )
    );
  };

  // The component that stands for another one and draws it only where its properties have changed.
  window.wirespeedUnchanged = (component, memo) => {
    let found = kept.get(component);
    if (!found) kept.set(component, (found = memo(component, same)));
    return found;
  };

  // Whether a container looks different while a run goes on.
  window.wirespeedTold = (block) => Boolean(block.expandable || block.tabContainer || block.dialog);
})();
