/** Domains of the engines for nets: some exclude transfers, resets or infinitely many initial markings. */
import { isBvas } from "../../model/bvas.js";
import { isNet, sourceIn, transferIn, type Net } from "../../model/net.js";
import type { Engine, Loaded } from "../contracts.js";
import { coverability } from "../engine-declarations.js";

/** The reason why `engine` refuses a loaded net; undefined for other inputs. */
export const whyNotLoaded =
  (engine: string) =>
  ({ subject }: Loaded): string | undefined =>
    isNet(subject) ? whyNotNet(engine, subject) : undefined;

/** An entry of the registry: a procedure for nets; `eec` also decides branching systems. */
export const netEngine = (name: string, summary: string): Engine => ({
  name,
  summary,
  accepts: coverability,
  takes: ({ subject }) =>
    isNet(subject) ? whyNotNet(name, subject) === undefined : name === "eec" && isBvas(subject),
  whyNot: whyNotLoaded(name),
  check: async (loaded, request) =>
    isBvas(loaded.subject)
      ? (await import("./branching.js")).check(loaded, request)
      : (await import("./coverability.js")).check(name, loaded, request),
});

/** The reason why the engine refuses the net; undefined: it accepts. */
function whyNotNet(engine: string, net: Net): string | undefined {
  const transfer = transferIn(net);
  const asksBound = net.properties.some(({ kind }) => kind === "boundedness");
  if (engine === "explicit") return sourceIn(net) && whyNotFromManyStarts(net); // sound: test/session/net-engines.test.ts
  if (!transfer) return undefined;
  if (engine !== "backward") return `it does not treat transfers and resets, as in ${transfer.name}`; // sound: test/session/net-engines.test.ts
  return asksBound // sound: test/session/net-engines.test.ts
    ? `it decides the boundedness of Petri nets alone, without transfers and resets, as in ${transfer.name}`
    : undefined;
}

/** Adding initial tokens is a step of the search that is always enabled and not part of an execution. */
function whyNotFromManyStarts({ properties }: Net): string | undefined {
  const asks = (kind: string): boolean => properties.some((property) => property.kind === kind);
  if (asks("boundedness"))
    // sound: test/session/net-engines.test.ts
    return "with any number of tokens at the start there are infinitely many markings, whether or not each start is bounded";
  return asks("deadlock") || asks("ltl") // sound: test/session/net-properties.test.ts
    ? "with any number of tokens at the start, it decides neither deadlocks nor formulas"
    : undefined;
}
