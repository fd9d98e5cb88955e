// What went wrong, told above the board.

import { byId, element } from "./dom.js";
import { say } from "./i18n.js";

/** What the page itself finds wrong, by the key of its words. */
export class PageError extends Error {
  constructor(key, words) {
    super(say(key, words));
    this.kind = "page";
  }
}

/** Shows what went wrong; nothing if there is nothing. */
export function notice(...errors) {
  const box = byId("notice");
  const known = errors.filter((error) => error);
  box.hidden = known.length === 0;
  box.replaceChildren(...known.map((error) => element("div", {}, words(error))));
  // Whoever has asked from farther down shall see it.
  if (known.length > 0) queueMicrotask(() => box.scrollIntoView({ block: "nearest" }));
}

/** What is said of an error. */
function words(error) {
  if (error.kind === "missing" && error.command) {
    return [say("missing", { subspace: error.subspace }), " ", element("code", {}, error.command)];
  }
  if (error.kind === "unreachable") return [say("unreachable")];
  // The server speaks English.
  return [element("span", { lang: error.kind === "page" ? null : "en" }, error.message)];
}
