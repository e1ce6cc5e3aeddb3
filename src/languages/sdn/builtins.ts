/** Built-in functions: queries of the topology, and of tables in properties. */
import { known } from "../../model/known.js";
import type { Rule } from "../../model/network.js";
import type { Env } from "./scope.js";
import type { Topology } from "./topology.js";
import { BOOL, NONE, type Type, type Value } from "./types.js";

const SWITCH: Type = { kind: "node", of: "switch" };
const CLIENT: Type = { kind: "node", of: "client" };
const PORT: Type = { kind: "port" };

export interface Builtin {
  readonly parameters: readonly Type[];
  readonly result: Type;
  run(topology: Topology, given: readonly Value[], env: Env): Value;
  readonly isForProperties?: boolean;
}

const BUILTINS: Readonly<Record<string, Builtin>> = {
  ports: {
    parameters: [SWITCH],
    result: { kind: "list", of: PORT },
    run: ({ switches }, [at]) => (switches[at as number]?.ports ?? []).map(({ number }) => number),
  },
  switchOf: {
    parameters: [CLIENT],
    result: SWITCH,
    run: (topology, [client]) => attached(topology, client)[0]?.switch ?? NONE,
  },
  portOf: {
    parameters: [CLIENT, SWITCH],
    result: PORT,
    run: (topology, [client, at]) =>
      attached(topology, client).find((each) => each.switch === at)?.switchPort ?? NONE,
  },
  neighbour: {
    parameters: [SWITCH, PORT],
    result: { kind: "node", of: "any" },
    run: ({ switches }, [at, port]) => {
      const peer = switches[at as number]?.ports.find(({ number }) => number === port)?.peer;
      if (!peer) return NONE;
      return peer.kind === "switch" ? peer.index : switches.length + peer.index;
    },
  },
  contacts: {
    parameters: [CLIENT],
    result: { kind: "list", of: CLIENT },
    run: ({ switches, clients }, [client]) =>
      // An unresolved name has been reported; the code around it still runs, without a client.
      (clients[(client as number) - switches.length]?.contacts ?? []).map((each) => switches.length + each),
  },
  installed: {
    parameters: [SWITCH, { kind: "rule" }],
    result: BOOL,
    run: (_, [at, rule], { view }) =>
      known(view, "the state").isInstalled(at as number, rule as Rule) ? 1 : 0,
    isForProperties: true,
  },
};

const attached = ({ switches, clients }: Topology, client: Value): Topology["clients"][number]["attached"] =>
  clients[(client as number) - switches.length]?.attached ?? [];

export const builtinOf = (name: string): Builtin | undefined =>
  Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
