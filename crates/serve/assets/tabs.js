// The panels beside the board.

import { byId } from "./dom.js";

/**
 * Panels, of which one is visible. Calls `opened` with it. The arrow keys go to the next panel,
 * Home and End to the first and the last.
 */
export function tabs(opened) {
  const all = [...document.querySelectorAll("[role=tab]")];
  const open = (tab) => {
    for (const other of all) {
      const isOpen = other === tab;
      other.setAttribute("aria-selected", `${isOpen}`);
      other.tabIndex = isOpen ? 0 : -1;
      byId(other.getAttribute("aria-controls")).hidden = !isOpen;
    }
    opened(tab.id.replace("tab-", ""));
  };
  all.forEach((tab, place) => {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const wanted = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: all.length - 1 }[event.key];
      if (wanted === undefined) return;
      event.preventDefault();
      const next = all[(wanted + all.length) % all.length];
      next.focus();
      open(next);
    });
  });
}
