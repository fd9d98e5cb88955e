// Requests to the server, which knows all rules and values.

/**
 * An error from the server: `kind`, `message`; `subspace` and `command` of a missing database,
 * `problem` of a game, `ruleset` if the server has other rules.
 */
export class ApiError extends Error {
  constructor(error) {
    super(error.message);
    Object.assign(this, error);
  }
}

const KEPT = 500;
const answers = new Map();

/** Where the answers are: beside the folder of this file, wherever the server or a proxy has it. */
const BASE = new URL("../api/", import.meta.url);

/** The longest address of a request; servers accept slightly more. */
const LONGEST = 60_000;

/** Status codes for a text that is too long; some of these answers are empty. */
const TOO_LONG = [413, 414, 431];

/** The rules of the first answer, for which the page is drawn. */
let ruleset = null;

/** Refuses an answer with other rules: another server has replaced the one that sent the page. */
function checkRules(response) {
  const found = response.headers.get("merels-ruleset");
  if (found === null) return;
  ruleset ??= found;
  if (found !== ruleset) throw new ApiError({ kind: "other-rules", message: "", ruleset: found });
}

/** Whether the server now serves another game, so that the page must be reloaded. */
export const isOutdated = (error) => error?.kind === "other-rules";

async function ask(address, options) {
  if (address.length > LONGEST) throw new ApiError({ kind: "too-long", message: "" });
  let response;
  try {
    response = await fetch(new URL(address, BASE).href, options);
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

/** Requests constant data once. */
async function kept(address) {
  if (!answers.has(address)) {
    if (answers.size >= KEPT) answers.delete(answers.keys().next().value);
    const answer = ask(address);
    answers.set(address, answer);
    // A later request may succeed.
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
export const annotate = (game) => ask("annotate", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ game }),
});
