// The server's answers. Everything about rules and values comes from there.

/**
 * An answer that is an error: `kind`, `message`, for a missing database `subspace` and `command`, for a game `problem`,
 * for other rules `ruleset`.
 */
export class ApiError extends Error {
  constructor(error) {
    super(error.message);
    Object.assign(this, error);
  }
}

const KEPT = 500;
const answers = new Map();

/** The longest address that is asked for; servers take a little more. */
const LONGEST = 60_000;

/** How servers say that a text is too long; some of these answers are empty. */
const TOO_LONG = [413, 414, 431];

/** The rules by which the server has answered first; the page is drawn for them. */
let ruleset = null;

/** An answer by other rules is none: another server has taken the place of the one that the page is from. */
function checkRules(response) {
  const found = response.headers.get("merels-ruleset");
  if (found === null) return;
  ruleset ??= found;
  if (found !== ruleset) throw new ApiError({ kind: "other-rules", message: "", ruleset: found });
}

/** Whether an error says that the page is not for the game that is served: only loading it anew helps. */
export const isOutdated = (error) => error?.kind === "other-rules";

async function ask(address, options) {
  if (address.length > LONGEST) throw new ApiError({ kind: "too-long", message: "" });
  let response;
  try {
    response = await fetch(`/api/${address}`, options);
  } catch {
    throw new ApiError({ kind: "unreachable", message: "" });
  }
  checkRules(response);
  const body = await response.json().catch(() => null);
  if (response.ok && body) return body;
  if (TOO_LONG.includes(response.status)) throw new ApiError({ kind: "too-long", message: "" });
  throw new ApiError(body?.error ?? { kind: "unreachable", message: response.statusText });
}

function query(name, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  return `${name}?${new URLSearchParams(given)}`;
}

/** Asks once for what does not change. */
async function kept(address) {
  if (!answers.has(address)) {
    if (answers.size >= KEPT) answers.delete(answers.keys().next().value);
    const answer = ask(address);
    answers.set(address, answer);
    // What went wrong may go right another time.
    answer.catch(() => answers.delete(address));
  }
  return answers.get(address);
}

export const rules = () => kept("rules");
export const position = (fen, moves) => kept(query("position", { fen, moves }));
export const moves = (fen, played) => kept(query("moves", { fen, moves: played }));
export const line = (fen) => kept(query("line", { fen }));
export const best = (fen, played) => ask(query("best", { fen, moves: played }));
export const random = (wanted) => ask(query("random", wanted));
export const stats = () => ask("stats");
export const histogram = (subspace) => kept(query("histogram", { subspace, seed: 1 }));
export const annotate = (text) => ask("annotate", { method: "POST", body: text });
