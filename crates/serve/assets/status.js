// What is told above and below the board: whose turn it is and what that is worth, how the game has ended, the stones
// in hand.

import { element } from "./dom.js";
import { say, worth } from "./i18n.js";
import { opposite } from "./notation.js";

/** Shows how many stones are in hand, if any are. */
export function showHands(root, answer) {
  const hand = (side) => element("span", {}, say("hand", { side: say(side), count: answer[side].hand }));
  const any = answer.white.hand + answer.black.hand > 0;
  root.replaceChildren(...(any ? [hand("white"), hand("black")] : []));
}

/** How the game has ended; null if it goes on. */
function ending({ answer, isCircle }) {
  if (answer.over) {
    const { reason, winner } = answer.over;
    return say(`over.${reason}`, winner ? { winner: say(winner), loser: say(opposite(winner)) } : {});
  }
  return isCircle ? say("over.circle") : null;
}

/** Shows how the game of `page` stands, with the worth of the position if `shown`. */
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
  // The words around the value differ by language.
  const [before, after] = say("status.worth", { turn, worth: "\u0000" }).split("\u0000");
  root.replaceChildren(before, value, after);
}
