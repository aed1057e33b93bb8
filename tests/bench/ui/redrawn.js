// Counts the components that React draws again, at each commit; its hook for developer tools tells of them in any build.
(() => {
  const DREW = 1;  // flag of a component that has run
  const commits = window.commits = [];
  addEventListener("keydown", ({key}) => key === "Enter" && commits.splice(0), true);
  const drawn = (root) => {
    let count = 0;
    const left = [root];
    while (left.length) {
      const fiber = left.pop();
      if (fiber.alternate && fiber.flags & DREW && typeof fiber.type !== "string") count++;
      // Children that the last commit left alone are the same objects as before.
      if (fiber.alternate?.child === fiber.child && fiber.alternate) continue;
      for (let child = fiber.child; child; child = child.sibling) left.push(child);
    }
    return count;
  };
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
    onCommitFiberRoot(_, root) {
      commits.push([performance.now(), drawn(root.current)]);
    },
  };
})();
