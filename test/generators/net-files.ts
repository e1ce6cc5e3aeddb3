/**
 * Checks nets as files: prints them in both formats, parses them, checks them with every engine, and replays traces.
 */
import { check, firstViolated, overallVerdict, replay, type CheckReport } from "../../src/index.js";
import { loadMist, renderSpec } from "../../src/languages/mist/index.js";
import { loadPnml } from "../../src/languages/pnml/index.js";
import { NOWHERE, type CoverProperty, type Net } from "../../src/model/index.js";
import { hasTransfers } from "./net-oracle.js";
import { Random } from "./random.js";

/**
 * PNML with places on two pages that refer to each other, directly or through another reference; some arcs are split,
 * and inscriptions of 1 and markings of 0 may be omitted. Undefined if PNML cannot express the net: transfers, source
 * tokens.
 */
export function pnmlOf(net: Net, seed: number): string | undefined {
  const random = new Random(seed);
  const isSaid = net.transitions.every(
    ({ transfers = [], isSource }) => !isSource && transfers.every(([, to]) => to === NOWHERE),
  );
  if (!isSaid) return undefined;
  const references: string[] = [];
  /** The place, or a chain of references to it. */
  const placeId = (place: number): string => {
    let id = `p${place}`;
    for (let hops = random.pick([0, 0, 1, 2]); hops > 0; hops--) {
      references.push(`<referencePlace id="r${references.length}" ref="${id}"/>`);
      id = `r${references.length - 1}`;
    }
    return id;
  };
  const label = (name: string, count: number, usual: number): string =>
    count === usual && random.chance(50) ? "" : `<${name}><text> ${count}\n</text></${name}>`;
  const arc = (source: string, target: string, weight: number, kind = "normal"): string => {
    if (weight > 1 && kind === "normal" && random.chance(30))
      return arc(source, target, weight - 1) + arc(source, target, 1);
    const type = kind === "normal" ? "" : `<type value="${kind}"/>`;
    return `<arc source="${source}" target="${target}">${label("inscription", weight, 1)}${type}</arc>`;
  };
  const places = net.places.map(
    ({ name }, place) =>
      `<place id="p${place}"><name><text>${name}</text></name>${label("initialMarking", net.initial[place]!, 0)}</place>`,
  );
  const transitions = net.transitions.map(({ name, guard, effect, transfers = [] }, t) => {
    const changes = new Map(effect);
    const needs = new Map(guard);
    const emptied = new Set(transfers.map(([from]) => from));
    const arcs = net.places.flatMap((_, place) => {
      const need = needs.get(place) ?? 0;
      const change = changes.get(place) ?? 0;
      const isReset = emptied.has(place);
      const taken = isReset ? 0 : Math.max(0, -change);
      const isTest = need > taken;
      return [
        ...(taken > 0 ? [arc(placeId(place), `t${t}`, taken)] : []),
        ...(isTest ? [arc(placeId(place), `t${t}`, need, random.pick(["test", "read"]))] : []),
        ...(isReset ? [arc(placeId(place), `t${t}`, 1, "reset")] : []),
        ...(change > 0 ? [arc(`t${t}`, placeId(place), change)] : []),
      ];
    });
    return `<transition id="t${t}"><name><text>${name}</text></name></transition>${arcs.join("\n")}`;
  });
  return [
    `<?xml version="1.0"?><pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">`,
    `<page id="g1">${places.join("\n")}<page id="g2"><referencePlace ref="p0"/>${references.join("")}</page></page>`,
    `<page id="g3">${transitions.join("\n")}</page></net></pnml>`,
  ].join("\n");
}

/** Differences between the printed and the parsed net. */
export function readingProblems(net: Net, seed: number): string[] {
  const meaning = ({ transitions, initial }: Net): string =>
    JSON.stringify([
      initial,
      transitions.map(({ guard, effect, transfers = [] }) => [
        guard,
        effect,
        transfers.toSorted(([a], [b]) => a - b),
      ]),
    ]);
  const mist = loadMist("random.spec", renderSpec(net));
  const pnml = pnmlOf(net, seed);
  const read = pnml === undefined ? undefined : loadPnml("random.pnml", pnml);
  return [
    ...(mist.net && mist.diagnostics.length === 0 && meaning(mist.net) === meaning(net)
      ? []
      : ["Mist's format: what is read is not what was written"]),
    ...(read && !(read.net && read.diagnostics.length === 0 && meaning(read.net) === meaning(net))
      ? ["PNML: what is read is not what was written"]
      : []),
  ];
}

export interface CheckedNet {
  readonly problems: readonly string[];
  readonly replayed: number;
  /** The default mode decided the target. */
  readonly isDecided: boolean;
}

/**
 * Checks the file in default mode and with every engine that accepts it, against the verdict, and replays every trace.
 */
export async function checkedProblems(net: Net, verdict: string): Promise<CheckedNet> {
  const input = { file: "random.spec", text: renderSpec(net) };
  const problems: string[] = [];
  let replayed = 0;
  let isDecided = false;
  const engines = [undefined, "explicit", ...(hasTransfers(net) ? [] : ["eec", "karp-miller"])];
  for (const engine of engines) {
    const budget = { maxStates: engine === "explicit" ? 500 : 20_000 };
    const report = await check(input, { budget, ...(engine ? { engine } : {}) });
    const wrong = await reportProblem(report, input, verdict);
    if (wrong !== undefined) problems.push(`${engine ?? "default mode"}: ${wrong}`);
    if (firstViolated(report)) replayed++;
    if (engine === undefined) isDecided = overallVerdict(report) !== "unknown";
  }
  return { problems, replayed, isDecided };
}

async function reportProblem(
  report: CheckReport,
  input: { readonly file: string; readonly text: string },
  verdict: string,
): Promise<string | undefined> {
  if (report.diagnostics.length > 0) return report.diagnostics.map(({ message }) => message).join("; ");
  const said = overallVerdict(report);
  const expected = verdict === "covered" ? "violated" : "holds";
  if (said !== "unknown" && said !== expected) return `it ${said}, but the target is ${verdict}`;
  const violated = firstViolated(report);
  if (!violated) return undefined;
  const again = await replay(input, { schedule: violated.trace!.schedule }, {});
  return again.outcome === "failed" ? undefined : `the trace does not replay: ${again.outcome}`;
}

export const targetOf = (net: Net): CoverProperty => net.properties[0] as CoverProperty;
