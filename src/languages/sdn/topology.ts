import type { Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import type { Endpoint, NetworkLink, NetworkPort } from "../../model/network.js";
import type { EndpointName, Name, NetworkDeclaration, NetworkItem, PortRange } from "./ast.js";
import type { Nodes } from "./types.js";

export interface Topology extends Nodes {
  readonly name: string;
  readonly switches: readonly { readonly name: Name; readonly ports: readonly NetworkPort[] }[];
  readonly clients: readonly TopologyClient[];
  readonly links: readonly NetworkLink[];
}

export interface TopologyClient {
  readonly name: Name;
  readonly group: string | undefined;
  /** Attachments: the client's port and the switch port it is connected to. */
  readonly attached: readonly {
    readonly port: number;
    readonly switch: number;
    readonly switchPort: number;
  }[];
  /** Indices of the clients that it sends to. */
  readonly contacts: readonly number[];
}

/** Visits are one bit per switch in a 32-bit word. */
export const MOST_VISITED = 31;

type Report = (code: string, message: string, span: Span, hint?: string) => void;

export function resolveTopology({ name, items }: NetworkDeclaration, report: Report): Topology {
  const switches = items.flatMap((item) =>
    item.kind === "switch"
      ? item.names.map((each) => ({ name: each, ports: portNumbers(item.ports, report) }))
      : [],
  );
  const clients = items.flatMap((item) =>
    item.kind === "client" ? item.names.map((each) => ({ name: each, item })) : [],
  );
  reportTwice(
    [...switches, ...clients].map((node) => node.name),
    report,
  );
  const find = ({ node, port, span }: EndpointName): Endpoint | undefined => {
    const at = switches.findIndex((s) => s.name.text === node.text);
    if (at >= 0) {
      if (nth(switches, at).ports.includes(port)) return { kind: "switch", index: at, port };
      report("sdn/no-such-port", `${node.text} has no port ${port}`, span);
      return undefined;
    }
    const client = clients.findIndex((c) => c.name.text === node.text);
    if (client < 0) {
      report("sdn/unknown-name", `there is no switch or client '${node.text}'`, node.span);
      return undefined;
    }
    const { ports } = nth(clients, client).item;
    if (ports && (port < ports.low || port > ports.high))
      report("sdn/no-such-port", `${node.text} has no port ${port}`, span);
    return { kind: "client", index: client, port };
  };
  const links = resolveLinks(items, find, report);
  const peer = (index: number, port: number): Omit<NetworkPort, "number"> => {
    const link = links.findIndex(({ ends }) =>
      ends.some((e) => e.kind === "switch" && e.index === index && e.port === port),
    );
    const ends = links[link]?.ends;
    const isFirst = ends && ends[0].kind === "switch" && ends[0].index === index && ends[0].port === port;
    return { peer: ends && (isFirst ? ends[1] : ends[0]), link };
  };
  const clientNames = clients.map((c) => c.name.text);
  return {
    name: name.text,
    switches: switches.map(({ name: each, ports }, index) => ({
      name: each,
      ports: ports.map((number) => ({ number, ...peer(index, number) })),
    })),
    clients: clients.map(({ name: each, item }, index) => ({
      name: each,
      group: item.group?.text,
      attached: links.flatMap(({ ends }) => attachment(ends, index)),
      contacts: contactsOf(item.contacts, index, clientNames, report),
    })),
    links,
    switchNames: switches.map((s) => s.name.text),
    clientNames,
    highestPort: Math.max(0, ...switches.flatMap((s) => s.ports)),
  };
}

const MOST_PORTS = 10_000;

const portNumbers = ({ low, high, span }: PortRange, report: Report): number[] => {
  if (low > high) report("sdn/empty-range", `${low}..${high} has no values`, span);
  if (high - low >= MOST_PORTS) {
    report("sdn/too-large", `a node has at most ${MOST_PORTS} ports`, span);
    return [];
  }
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
};

function resolveLinks(
  items: readonly NetworkItem[],
  find: (end: EndpointName) => Endpoint | undefined,
  report: Report,
): NetworkLink[] {
  const taken = new Map<string, Span>();
  return items.flatMap((item): NetworkLink[] => {
    if (item.kind !== "link") return [];
    const [from, to] = item.ends.map(find);
    if (!from || !to) return [];
    if (from.kind === "client" && to.kind === "client")
      report("sdn/client-link", "a link joins two clients", item.span, "put a switch between them");
    for (const [i, end] of [from, to].entries()) {
      const key = `${end.kind}${end.index}:${end.port}`;
      if (end.kind === "switch" && taken.has(key))
        report(
          "sdn/port-taken",
          `port ${end.port} of ${nth(item.ends, i).node.text} has a link already`,
          nth(item.ends, i).span,
        );
      taken.set(key, item.span);
    }
    const name = item.ends.map(({ node, port }) => `${node.text}:${port}`).join("--");
    return [{ name, ends: [from, to], mayFail: item.mayFail }];
  });
}

function attachment(ends: NetworkLink["ends"], client: number): TopologyClient["attached"] {
  const [from, to] = ends;
  const isHere = (end: Endpoint): boolean => end.kind === "client" && end.index === client;
  if (isHere(from)) return [{ port: from.port, switch: to.index, switchPort: to.port }];
  return isHere(to) ? [{ port: to.port, switch: from.index, switchPort: from.port }] : [];
}

function contactsOf(
  names: readonly Name[] | undefined,
  self: number,
  clients: readonly string[],
  report: Report,
): number[] {
  if (!names) return clients.flatMap((_, i) => (i === self ? [] : [i]));
  return names.flatMap(({ text, span }) => {
    const index = clients.indexOf(text);
    if (index < 0) report("sdn/unknown-name", `there is no client '${text}'`, span);
    return index < 0 ? [] : [index];
  });
}

function reportTwice(names: readonly Name[], report: Report): void {
  names.forEach(({ text, span }, i) => {
    if (names.findIndex((other) => other.text === text) < i)
      report("sdn/declared-twice", `'${text}' is declared twice`, span);
  });
}
