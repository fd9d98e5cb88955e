// The texts above and below the board: the side to move and its value, the end of the game, the
// stones in hand.

import { element } from "./dom.js";
import { say, worth } from "./i18n.js";
import { opposite } from "./notation.js";

/** Shows the stones in hand, if any. */
export function showHands(root, answer) {
  const hand = (side) => element("span", {}, say("hand", { side: say(side), count: answer[side].hand }));
  const any = answer.white.hand + answer.black.hand > 0;
  root.replaceChildren(...(any ? [hand("white"), hand("black")] : []));
}

/** The end of the game; null if it continues. */
function ending({ answer, isCircle }) {
  if (answer.over) {
    const { reason, winner } = answer.over;
    return say(`over.${reason}`, winner ? { winner: say(winner), loser: say(opposite(winner)) } : {});
  }
  return isCircle ? say("over.circle") : null;
}

/** Shows the state of the game of `page`, with the value of the position if `shown` is set. */
export function showStatus(root, page, shown) {
  const reason = ending(page);
  if (reason !== null) {
    root.textContent = say("status.over", { reason });
    return;
  }
  const { answer, isServersTurn, selection } = page;
  const isRemoving = answer.remove > 0 || selection.isRemoving;
  const key = isServersTurn ? "status.thinking" : isRemoving ? "status.remove" : "status.turn";
  const turn = say(key, { side: say(answer.side) });
  if (!shown || !answer.outcome) {
    root.textContent = turn;
    return;
  }
  const value = element("span", { class: `worth ${answer.outcome}` }, worth(answer));
  // The text around the value depends on the language.
  const [before, after] = say("status.worth", { turn, worth: "\u0000" }).split("\u0000");
  root.replaceChildren(before, value, after);
}
