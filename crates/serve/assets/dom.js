// Creates elements. Text is never interpreted as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An element of the page. Attributes that begin with `on` are handlers; empty ones are omitted. */
export function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of a drawing. */
export function drawn(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** The element of this id. */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * Redraws the contents of `root`. The focus stays on the element with the same `data-key`.
 * If there is none, calls `otherwise`.
 */
export function keepingFocus(root, redraw, otherwise) {
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  redraw();
  if (!focused || focused.isConnected) return;
  const same = [...root.querySelectorAll("[data-key]")].find((node) => node.dataset.key === focused.dataset.key);
  if (same) same.focus({ preventScroll: true });
  else otherwise();
}

/** Makes Enter and the space bar act as a click, for elements that are not buttons. */
export function pressable(node, act) {
  node.addEventListener("click", act);
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act(event);
    }
  });
  return node;
}
