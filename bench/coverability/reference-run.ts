/** CB-1, CB-2 and CB-3: published and obtained results. */
import {
  Work,
  branchingEec,
  coversTarget,
  eec,
  isDerivation,
  isInvariant,
  runAtOnce,
  type EecOptions,
} from "../../src/engines/coverability/index.js";
import { netOf } from "../../src/languages/bvas/net.js";
import { loadRpp } from "../../src/languages/rpp/index.js";
import { tokensOf } from "../../src/model/index.js";
import { referenceCases, webServer, type ReferenceCase } from "../../test/engines/coverability/reference.js";

/** As in the published figures: i from 0 by one, and only the approximations answer. */
export const asPublished: EecOptions = { start: 0, next: (i) => i + 1, concretises: false };

export function checkReference(): boolean {
  let isGood = true;
  const row = (id: string, what: string, expected: string, obtained: string): void => {
    const isSame = expected === obtained;
    isGood &&= isSame;
    console.log(
      `${id.padEnd(6)} ${what.padEnd(30)} ${expected.padEnd(16)} ${obtained.padEnd(16)} ${isSame ? "ok" : "DIFFERS"}`,
    );
  };
  console.log(`${"id".padEnd(6)} ${"instance".padEnd(30)} ${"expected".padEnd(16)} ${"obtained".padEnd(16)}`);
  for (const one of referenceCases) {
    const what = `${one.system.name}, target (${one.target.join(", ")})`;
    const expected = `${one.answer} (${one.i})`;
    row(one.id, what, expected, answerOf(one));
    if (one.system.axioms.length === 1 && one.system.binary.length === 0)
      row(one.id, `${what} as a net`, expected, answerAsNet(one));
  }
  for (const isBuggy of [false, true]) {
    const { bvas } = loadRpp("web", webServer(isBuggy));
    const size = [bvas!.places, bvas!.axioms, bvas!.unary, bvas!.binary]
      .map(({ length }) => length)
      .join("/");
    const answer = runAtOnce(branchingEec(bvas!, bvas!.properties[0]!.targets, new Work(), asPublished));
    const name = isBuggy ? "web server, buggy" : "web server";
    row("CB-3", name, isBuggy ? "covered (1)" : "uncovered (0)", `${answer.kind} (${answer.i})`);
    const published = isBuggy
      ? "40/4/58/22, of another writing of it"
      : "38/4/53/19, with 3/0/12/3 for tasks that post their own kind";
    console.log(`       dimensions/axioms/unary/binary: ${size}; published: ${published}`);
  }
  return isGood;
}

function answerOf({ system, target }: ReferenceCase): string {
  const answer = runAtOnce(branchingEec(system, [target], new Work(), asPublished));
  const isShown =
    answer.kind === "covered"
      ? isDerivation(system, answer.derivation) && coversTarget(answer.derivation, [target])
      : isInvariant(system, answer.invariant, [target]);
  return isShown ? `${answer.kind} (${answer.i})` : "not certified";
}

function answerAsNet({ system, target }: ReferenceCase): string {
  const alternatives = [tokensOf(new Map(target.map((count, place) => [place, count])))];
  const answer = runAtOnce(eec(netOf(system), alternatives, new Work(), asPublished));
  return `${answer.kind} (${answer.i})`;
}
