// Data that the browser stores for the page. The page also works without storage.

/** The data stored under `key`, or null. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores `value` under `key`, if the browser allows it. */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The setting lasts until the user leaves the page.
  }
}
