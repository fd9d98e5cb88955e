// The panels beside the board.

import { byId } from "./dom.js";

/** Panels, of which one is shown; `opened` is told which. The arrow keys go from one to the next. */
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
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = all[(place + step + all.length) % all.length];
      next.focus();
      open(next);
    });
  });
}
