// Light or dark: as the system has it, unless chosen otherwise.

const KEY = "merels.theme";

function apply(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Lets `select` choose the colours, and remembers the choice. */
export function start(select) {
  const theme = localStorage.getItem(KEY) ?? "auto";
  select.value = theme;
  apply(theme);
  select.addEventListener("change", () => {
    localStorage.setItem(KEY, select.value);
    apply(select.value);
  });
}
