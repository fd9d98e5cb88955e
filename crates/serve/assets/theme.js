// Light or dark: the system's setting, or the chosen one.

import { recall, remember } from "./storage.js";

const KEY = "merels.theme";

function apply(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Lets `select` choose the theme, and stores the choice. */
export function start(select) {
  const theme = recall(KEY) ?? "auto";
  select.value = theme;
  apply(theme);
  select.addEventListener("change", () => {
    remember(KEY, select.value);
    apply(select.value);
  });
}
