// The board: drawn once, then updated. It reports the chosen point and does not know the game.

import { drawn, pressable } from "./dom.js";
import { say, shortWorth, worth } from "./i18n.js";

const STEP = 100;
const MARGIN = 78;
const STONE = 36;

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** Draws the empty board of `rules` into `root`. Calls `choose` with each chosen point. */
  constructor(root, rules, choose) {
    this.places = new Map();
    this.points = new Map();
    const { points, grid } = rules.board;
    const size = (grid - 1) * STEP + 2 * MARGIN;
    for (const { name, column, row } of points) {
      this.places.set(name, [MARGIN + column * STEP, MARGIN + (grid - 1 - row) * STEP]);
    }
    // In reading order, which is the tab order without arrow keys.
    const inOrder = [...points].sort((a, b) => b.row - a.row || a.column - b.column);
    const svg = drawn("svg", { viewBox: `0 0 ${size} ${size}`, role: "group" });
    this.svg = svg;
    this.#drawEdges(points);
    this.#drawNames(grid, size);
    for (const { name } of inOrder) {
      const [x, y] = this.places.get(name);
      const point = drawn("g", { class: "point", role: "button", tabindex: "-1", transform: `translate(${x} ${y})`, "data-point": name });
      pressable(point, () => choose(name));
      point.addEventListener("focus", () => this.#rove(name));
      point.addEventListener("keydown", (event) => this.#arrow(event, name));
      this.points.set(name, point);
      svg.append(point);
    }
    this.#rove(inOrder[0].name);
    root.replaceChildren(svg);
  }

  #drawEdges(points) {
    for (const { name, neighbours } of points) {
      const [x1, y1] = this.places.get(name);
      for (const other of neighbours.filter((other) => other > name)) {
        const [x2, y2] = this.places.get(other);
        this.svg.append(drawn("line", { class: "edge", x1, y1, x2, y2 }));
      }
    }
  }

  #drawNames(grid, size) {
    for (let place = 0; place < grid; place += 1) {
      const along = MARGIN + place * STEP;
      const column = String.fromCharCode(97 + place);
      this.svg.append(
        drawn("text", { class: "name", x: along, y: size - 18, "aria-hidden": "true" }, column),
        drawn("text", { class: "name", x: 18, y: size - along, "aria-hidden": "true" }, `${place + 1}`),
      );
    }
  }

  /** Only the point that last had the focus is in the tab order. */
  #rove(name) {
    this.points.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = name;
    this.points.get(name).setAttribute("tabindex", "0");
  }

  /** Focuses the point that last had the focus. */
  focus() {
    this.points.get(this.current).focus({ preventScroll: true });
  }

  /** Moves the focus to the nearest point in the direction of an arrow key. */
  #arrow(event, name) {
    const direction = ARROWS[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const [x, y] = this.places.get(name);
    let nearest = null;
    for (const [other, [otherX, otherY]] of this.places) {
      const [dx, dy] = [otherX - x, otherY - y];
      const along = dx * direction[0] + dy * direction[1];
      const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
      if (along <= 0) continue;
      // Prefer straight directions to diagonal ones.
      const distance = along + 3 * aside;
      if (!nearest || distance < nearest.distance) nearest = { other, distance };
    }
    if (nearest) this.points.get(nearest.other).focus();
  }

  /**
   * Shows a position. Maps and sets hold points by name: `stones` (`white` or `black`), `options`
   * (the effect of a choice: `act`, and `worth` to show its value), `chosen`, `last`, `crossed` (just
   * removed).
   */
  show({ stones, options, chosen, leaving, last, crossed }) {
    this.svg.setAttribute("aria-label", say("board"));
    for (const [name, point] of this.points) {
      const stone = stones.get(name);
      const option = options.get(name);
      point.classList.toggle("open", option !== undefined);
      point.classList.toggle("chosen", chosen.has(name));
      point.classList.toggle("last", last.has(name));
      const parts = [drawn("circle", { class: "hit", r: 46 })];
      if (stone) {
        const fading = leaving.has(name) ? " leaving" : "";
        parts.push(drawn("circle", { class: `stone ${stone}${fading}`, r: STONE }));
      } else {
        parts.push(drawn("circle", { class: "dot", r: 9 }));
      }
      if (crossed.has(name)) {
        parts.push(drawn("path", { class: "cross", d: "M-16 -16L16 16M-16 16L16 -16" }));
      }
      if (chosen.has(name) || last.has(name) || option?.act === "remove") {
        parts.push(drawn("circle", { class: "ring", r: STONE + 6 }));
      }
      if (option) parts.push(mark(option, stone));
      point.replaceChildren(...parts);
      point.setAttribute("aria-label", this.#label(name, stone, option));
      point.setAttribute("aria-disabled", option === undefined);
    }
  }

  #label(name, stone, option) {
    const words = { point: name, stone: say(`stone.${stone ?? "none"}`) };
    if (!option) return say("point", words);
    const act = say(`act.${option.act}`);
    if (!option.worth) return say("point.open", { ...words, act });
    return say("point.worth", { ...words, act, worth: worth(option.worth) });
  }
}

/** A choice with its value: in the middle of an empty point, beside the middle of a stone. */
function mark({ worth: value }, stone) {
  if (!value) return drawn("g", { class: "mark plain" }, stone ? [] : drawn("rect", { x: -9, y: -9, width: 18, height: 18, rx: 9 }));
  const text = shortWorth(value);
  const width = 22 + 16 * text.length;
  const [x, y] = stone ? [24, -32] : [0, 0];
  return drawn("g", { class: `mark ${value.outcome}`, transform: `translate(${x} ${y})` },
    drawn("rect", { x: -width / 2, y: -18, width, height: 36, rx: 8 }),
    drawn("text", { y: 1 }, text));
}
