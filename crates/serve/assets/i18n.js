// Texts in the language of the browser, or in a chosen one.

import { recall, remember } from "./storage.js";
import english from "./words-en.js";
import french from "./words-fr.js";

const LANGUAGES = { en: english, fr: french };
const KEY = "merels.language";
let language = "en";

function speak(tag) {
  language = tag;
  document.documentElement.lang = language;
}

/** The language: the one chosen before, otherwise the browser's first supported one. */
export function choose() {
  const wanted = [recall(KEY), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
  speak(wanted.find((tag) => tag in LANGUAGES) ?? "en");
  return language;
}

/** Changes the language and stores it. */
export function change(to) {
  remember(KEY, to);
  speak(to);
}

/** The text for `key`, with the values for its braces. */
export function say(key, values = {}) {
  const words = LANGUAGES[language][key] ?? english[key] ?? key;
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Whether `key` has a text. */
export function knows(key) {
  return key in english;
}

/** A number in the format of the language. */
export function number(value, digits = 0) {
  return value.toLocaleString(language, { maximumFractionDigits: digits });
}

/** `win in 5 plies`. */
export function worth({ outcome, distance }) {
  if (!outcome) return "";
  const name = say(outcome);
  if (distance === null || distance === undefined) return name;
  return distance === 1
    ? say("worth.one", { outcome: name })
    : say("worth.in", { outcome: name, plies: distance });
}

/** The short form: `W5`. */
export function shortWorth({ outcome, distance }) {
  return outcome ? `${say(`letter.${outcome}`)}${distance ?? ""}` : "";
}

/** Sets the text of every element that names one. */
export function translate(root = document) {
  for (const node of root.querySelectorAll("[data-word]")) node.textContent = say(node.dataset.word);
  for (const node of root.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", say(node.dataset.label));
  }
}

/** The first of these moves, and the number of the others. */
export function someMoves(moves) {
  const first = moves.slice(0, 4).join(" ");
  const count = moves.length - 4;
  return count > 0 ? say("moves.some", { moves: first, count }) : first;
}
