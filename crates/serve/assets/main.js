// The entry point: requests the rules and shows the game in the address.

import * as api from "./api.js";
import { connect } from "./controls.js";
import { byId } from "./dom.js";
import * as i18n from "./i18n.js";
import { notice } from "./notice.js";
import { Page } from "./page.js";
import * as theme from "./theme.js";

async function start() {
  byId("language").value = i18n.choose();
  theme.start(byId("theme"));
  i18n.translate();
  try {
    const page = new Page(await api.rules());
    connect(page);
    await page.entry.open();
  } catch (error) {
    notice(error);
  }
}

start();
