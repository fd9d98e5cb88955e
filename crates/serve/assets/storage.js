// What the browser remembers for the page. Where it remembers nothing, as some are told, the page works all the same.

/** What is remembered under `key`; null if nothing is. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers `value` under `key`, if the browser lets the page. */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds until the page is left.
  }
}
