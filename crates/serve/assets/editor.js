// Sets a position up: stones by clicks, the rest by fields. The server checks the position.

import { byId, element } from "./dom.js";
import { say } from "./i18n.js";
import { plain, stonesOf } from "./notation.js";

const TOOLS = ["white", "black", "none"];

export class Editor {
  /** Calls `changed` when the stones change, and `done` with the position as text. */
  constructor(root, rules, changed, done) {
    Object.assign(this, { root, rules, changed, done, isOpen: false, tool: "white" });
  }

  /** Begins with the position of `answer`. */
  begin(answer) {
    this.stones = stonesOf(answer);
    this.side = answer.side;
    this.hands = { white: answer.white.hand, black: answer.black.hand };
    this.remove = answer.remove;
    this.isOpen = true;
    this.show(answer);
    byId("editor-done").focus({ preventScroll: true });
    this.changed();
  }

  leave() {
    this.#shut();
    byId("edit").focus({ preventScroll: true });
    this.changed();
  }

  /** Ends editing. The next `show` sets the position to begin with. */
  close() {
    this.answer = null;
    if (!this.isOpen) return;
    const hadFocus = this.root.contains(document.activeElement);
    this.#shut();
    if (hadFocus) byId("edit").focus({ preventScroll: true });
  }

  #shut() {
    this.isOpen = false;
    this.show(this.answer);
  }

  /** Handles a chosen point of the board. */
  put(point) {
    if (this.tool === "none" || this.stones.get(point) === this.tool) this.stones.delete(point);
    else this.stones.set(point, this.tool);
    this.changed();
  }

  /** Draws the fields, or the button that starts editing from `answer`. */
  show(answer) {
    this.answer = answer;
    if (!this.isOpen) {
      const hadFocus = document.activeElement?.id === "edit";
      this.root.replaceChildren(
        element("button", { type: "button", id: "edit", onclick: () => this.answer && this.begin(this.answer) }, say("editor.begin")));
      if (hadFocus) byId("edit").focus({ preventScroll: true });
      return;
    }
    const tool = (name) => {
      const input = element("input", { type: "radio", name: "tool", value: name, checked: name === this.tool, onchange: () => { this.tool = name; } });
      return element("label", {}, input, say(name === "none" ? "editor.nothing" : `stone.${name}`));
    };
    const hand = (side) =>
      element("label", {}, say("editor.hand", { side: say(side) }),
        element("input", { type: "number", min: 0, max: this.rules.stones, value: this.hands[side], oninput: (event) => { this.hands[side] = event.target.valueAsNumber || 0; } }));
    const side = element("select", { onchange: (event) => { this.side = event.target.value; } },
      ["white", "black"].map((name) => element("option", { value: name, selected: name === this.side }, say(name))));
    const remove = element("input", { type: "number", min: 0, max: 2, value: this.remove, oninput: (event) => { this.remove = event.target.valueAsNumber || 0; } });
    this.root.replaceChildren(
      element("p", {}, say("editor.how")),
      element("fieldset", { class: "row" }, element("legend", {}, say("editor.tool")), TOOLS.map(tool)),
      element("p", { class: "row" },
        element("label", {}, say("editor.side"), side), hand("white"), hand("black"),
        element("label", {}, remove, say("editor.remove"))),
      element("p", { class: "row" },
        element("button", { type: "button", id: "editor-clear", onclick: () => this.#clear() }, say("editor.clear")),
        element("button", { type: "button", id: "editor-done", onclick: () => this.done(plain(this.stones, this.side, this.hands, this.remove)) }, say("editor.done")),
        element("button", { type: "button", id: "editor-leave", onclick: () => this.leave() }, say("editor.leave"))));
  }

  #clear() {
    this.stones = new Map();
    this.changed();
  }
}
