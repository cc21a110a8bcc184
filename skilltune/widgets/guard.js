// What only the browser can do for a panel: keep JupyterLab's shortcuts out, turn keys into presses, name the parts
// for a screen reader, keep the focus in the panel, and say so when the kernel does not answer.
const TYPING = "textarea, select, [contenteditable=true], input:not([type=checkbox]):not([type=radio])";

const CONTROL = "a, button, input, label, select, summary, textarea, [contenteditable=true]";

function render({ model, el }) {
  el.classList.add("stw-silence");
  el.setAttribute("role", "alert");
  const bound = new AbortController();
  let root = null;
  let timer = null;
  let waiting = false;
  let within = false;
  let current = null;
  let seen = "";

  const home = () => root.querySelector(model.get("home"));

  const name = () => {
    for (const [selector, attributes] of Object.entries(model.get("attributes"))) {
      const own = root.matches(selector) ? [root] : [];
      for (const part of [...own, ...root.querySelectorAll(selector)]) {
        for (const [key, value] of Object.entries(attributes)) {
          if (part.getAttribute(key) !== value) part.setAttribute(key, value);
        }
      }
    }
  };

  const follow = (active) => {
    // which row is shown: the focus goes with it where a row has it, and the row is where one can see it
    const chosen = model.get("current") ? root.querySelector(model.get("current")) : null;
    const moved = chosen && (chosen !== current || chosen.textContent !== seen);
    current = chosen;
    seen = chosen?.textContent ?? "";
    if (!moved) return;
    if (active && active !== chosen && root.contains(active) && active.matches(model.get("rows") || "nothing")) {
      chosen.focus({ preventScroll: true });
    }
    if (within) chosen.scrollIntoView({ block: "nearest" });
  };

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest(TYPING)) return;
    const presses = model.get("presses");
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]; // where digits need Shift, as on French keyboards
    const wanted = presses[event.key.toLowerCase()] ?? (event.shiftKey ? undefined : presses[digit]);
    if (!wanted) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return; // a key held down is one press
    const found = root.querySelector(wanted);
    if (found && !found.disabled) found.click();
  };

  const onClick = (event) => {
    const pressed = event.target.closest("button");
    if (!pressed) return;
    if (waiting) {
      event.preventDefault(); // the answer to the last press is not there: a further one would be for a text unseen
      event.stopImmediatePropagation();
      return;
    }
    waiting = true;
    timer = setTimeout(() => { el.textContent = model.get("silence"); }, model.get("patience") * 1000);
  };

  const onQuiet = (event) => {
    // a click on what is no control: the panel has the keyboard then; later, since JupyterLab focuses its notebook
    if (!model.get("catches") || event.target.closest(CONTROL)) return;
    setTimeout(() => home()?.focus({ preventScroll: true }), 0);
  };

  const onBeat = () => {
    clearTimeout(timer);
    waiting = false;
    el.textContent = "";
    requestAnimationFrame(() => {
      name();
      const active = document.activeElement;
      const lost = within && (!active || active === document.body || !active.isConnected);
      const used = active && root.contains(active) && active.matches(model.get("returning") || "nothing");
      if (lost || used) home()?.focus({ preventScroll: true });
      else follow(active);
    });
  };

  const attach = () => {
    const options = { signal: bound.signal };
    root.setAttribute("data-lm-suppress-shortcuts", "true");
    root.addEventListener("keydown", onKey, options);
    root.addEventListener("click", onClick, { ...options, capture: true });
    root.addEventListener("click", onQuiet, options);
    root.addEventListener("focusin", (event) => {
      within = true;
      // Lumino matches ":focus" on the element itself before it looks at what is around it
      event.target.setAttribute("data-lm-suppress-shortcuts", "true");
    }, options);
    root.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !root.contains(event.relatedTarget)) within = false;
    }, options);
    document.addEventListener("pointerdown", (event) => {
      if (!root.contains(event.target)) within = false;
    }, options);
    model.on("change:beat", onBeat);
    new MutationObserver((_, watcher) => {
      if (bound.signal.aborted) watcher.disconnect();
      else name();
    }).observe(root, { childList: true, subtree: true });
    name();
  };

  const find = (tries) => {
    root = el.closest(model.get("panel"));
    if (root) attach();
    else if (tries > 0 && !bound.signal.aborted) setTimeout(() => find(tries - 1), 50);
  };
  find(200);

  return () => {
    bound.abort();
    clearTimeout(timer);
    model.off("change:beat", onBeat);
  };
}

export default { render };
