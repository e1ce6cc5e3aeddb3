/**
 * Lowers the updates of a rule. `x' = x + n` adds or removes tokens, `x' = x + y, y' = 0` moves all tokens of `y` to
 * `x` (a transfer), `x' = 0` removes all tokens (a reset); all updates are simultaneous. Refuses rules that copy
 * tokens, by adding a place twice or adding and keeping it: Mist empties these places even if their own update keeps
 * them.
 */
import type { Span } from "../../model/diagnostic.js";
import { MOST_TOKENS, NOWHERE, tokensOf, type NetTransition, type Transfer } from "../../model/net.js";
import type { Report, ReportError } from "../toolkit/diagnostics.js";
import type { Named } from "../toolkit/source-parser.js";
import type { Rule, Update } from "./syntax.js";
import { nth, entryOf } from "../../model/known.js";

/** Places and numbers of the file, and the sink of diagnostics. */
export interface Names {
  place(named: Named): number | undefined;
  number(text: string, span: Span): number;
  readonly error: ReportError;
  readonly report: Report;
}

/** Lowers a rule; `guard` maps places to the least number of tokens. */
export function transitionOf(
  { updates, span }: Rule,
  name: string,
  guard: Map<number, number>,
  names: Names,
): NetTransition {
  const changes = changesOf(updates, names);
  const transfers = transfersOf(changes, names);
  for (const change of changes.values()) strengthen(change, transfers, guard, names);
  const effect = new Map([...changes].map(([place, { constant }]) => [place, constant]));
  return {
    name,
    span,
    guard: tokensOf(guard),
    effect: tokensOf(effect),
    ...(transfers.length > 0 ? { transfers } : {}),
  };
}

/** One update: the places that it sums up, and the constant that it adds. */
interface Change {
  readonly update: Update;
  readonly place: number;
  readonly addends: readonly (Named & { readonly place: number })[];
  readonly constant: number;
}

function changesOf(updates: readonly Update[], names: Names): Map<number, Change> {
  const changes = new Map<number, Change>();
  for (const update of updates) {
    const place = names.place(update);
    if (place === undefined) continue;
    if (changes.has(place))
      names.error("mist/duplicate-update", update.whole, `\`${update.name}'\` is given twice in one rule`);
    changes.set(place, changeOf(update, place, names));
  }
  return changes;
}

function changeOf(update: Update, place: number, names: Names): Change {
  const addends: Change["addends"][number][] = [];
  let constant = 0;
  for (const { text, span, isNegative } of update.terms) {
    if (/^\d/.test(text)) {
      constant += (isNegative ? -1 : 1) * names.number(text, span);
      continue;
    }
    const addend = names.place({ name: text, span });
    if (isNegative)
      names.error("mist/subtracted", span, `\`${text}\` is subtracted: more tokens of it would leave fewer`);
    else if (addend !== undefined) addends.push({ name: text, span, place: addend });
  }
  if (Math.abs(constant) > MOST_TOKENS)
    names.error("mist/too-large", update.whole, `more than ${MOST_TOKENS} tokens cannot be counted`);
  return { update, place, addends, constant };
}

function transfersOf(changes: ReadonlyMap<number, Change>, names: Names): Transfer[] {
  const destinations = new Map<number, number>();
  for (const { place, addends } of changes.values())
    for (const { place: from, name, span } of addends) {
      const keeps = !changes.has(from) || entryOf(changes, from).addends.some((own) => own.place === from);
      // sound: test/languages/mist/rules.test.ts
      if (destinations.has(from) || (keeps && from !== place))
        names.error(
          "mist/copied",
          span,
          `the tokens of \`${name}\` are added here and kept or added elsewhere: tokens are moved, not copied`,
          `to move them, add them once and write ${name}' = 0`,
        );
      else destinations.set(from, place);
    }
  return [...changes.keys()]
    .filter((place) => destinations.get(place) !== place)
    .map((from) => [from, destinations.get(from) ?? NOWHERE]);
}

/** Adds the tokens that the update removes to the guard. */
function strengthen(
  { constant, place, update }: Change,
  transfers: readonly Transfer[],
  guard: Map<number, number>,
  names: Names,
): void {
  const isEmptied = transfers.some(([from]) => from === place);
  const added = transfers.filter(([, to]) => to === place).map(([from]) => from);
  const from = isEmptied ? added : [place, ...added];
  const sum = from.reduce((total, each) => total + (guard.get(each) ?? 0), 0);
  if (sum >= -constant) return; // sound: test/languages/mist/rules.test.ts
  const { name, whole } = update;
  if (from.length !== 1)
    return names.error(
      "mist/unguarded-sum",
      whole,
      `the rule takes ${-constant} from the sum for \`${name}\`, but asks for ${sum}`,
      "require enough tokens in one of the places of the sum: x >= n",
    );
  const asked = from[0] === place ? name : update.terms.find(({ text }) => !/^\d/.test(text))!.text;
  names.report({
    code: "mist/weak-guard",
    severity: "warning",
    message: `the rule takes ${-constant} from \`${asked}\`, but does not require them: it is read as \`${asked} >= ${-constant}\``,
    span: whole,
  });
  guard.set(nth(from, 0), -constant);
}
