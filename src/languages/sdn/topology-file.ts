/**
 * Imports the published JSON format of topologies as declarations: switches with their number of ports, clients with
 * their contacts, packet fields, connections.
 */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Declaration, EndpointName, Name, NetworkItem, TypeExpression } from "./ast.js";
import { diagnostic } from "./scope.js";

export function importTopology(
  path: string,
  text: string,
  used: Span,
): { readonly declarations: readonly Declaration[]; readonly diagnostics: readonly Diagnostic[] } {
  const reader = new Reader(path, used);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return reader.refused("sdn/bad-topology", `'${path}' is not JSON: ${(error as Error).message}`);
  }
  if (!isRecord(content)) return reader.refused("sdn/bad-topology", `'${path}' has no object in it`);
  return reader.read(content);
}

class Reader {
  readonly #diagnostics: Diagnostic[] = [];
  readonly #types = new Map<string, TypeExpression>();

  constructor(
    readonly path: string,
    readonly span: Span,
  ) {}

  refused(code: string, message: string) {
    return { declarations: [], diagnostics: [diagnostic(code, message, this.span)] };
  }

  read(content: Readonly<Record<string, unknown>>) {
    for (const key of Object.keys(content))
      if (!KNOWN.has(key))
        this.#diagnostics.push({
          ...diagnostic(
            "sdn/unknown-topology-key",
            `'${this.path}': nothing is known about '${key}'`,
            this.span,
          ),
          severity: "warning",
        });
    const switches = this.#list(content, "switches").map((each): NetworkItem => {
      const high = typeof each["ports"] === "number" ? each["ports"] : 0;
      if (high < 1) this.#bad(`a switch needs its number of ports`);
      return { kind: "switch", names: [this.#name(each["id"])], ports: { low: 1, high, span: this.span } };
    });
    const clients = this.#list(content, "clients").map((each): NetworkItem => {
      const contacts = Array.isArray(each["contacts"])
        ? each["contacts"].map((id) => this.#name(id))
        : undefined;
      const group = typeof each["type"] === "string" ? this.#name(each["type"]) : undefined;
      return {
        kind: "client",
        names: [this.#name(each["id"])],
        group,
        ports: undefined,
        ...(contacts ? { contacts } : {}),
      };
    });
    const links = this.#connections(content["connections"]);
    const fields = Object.entries(isRecord(content["packet"]) ? content["packet"] : {}).map(
      ([name, type]) => ({
        name: this.#name(name),
        type: this.#type(name, type),
      }),
    );
    this.#checkMatchFields(
      content["rule_match_fields"],
      fields.map(({ name }) => name.text),
    );
    const declarations: Declaration[] = [
      {
        kind: "network",
        name: this.#name("topology"),
        items: [...switches, ...clients, ...links],
        span: this.span,
      },
      { kind: "packet", fields, tracksVisited: content["switch_counter"] === true, span: this.span },
    ];
    return { declarations, diagnostics: this.#diagnostics };
  }

  #checkMatchFields(given: unknown, fields: readonly string[]): void {
    if (!isRecord(given)) return;
    for (const name of Object.keys(given))
      if (name !== "port" && !fields.includes(name))
        this.#bad(`rules match on '${name}', which is not a packet field`);
  }

  #list(content: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>>[] {
    const found = content[key];
    if (Array.isArray(found) && found.every(isRecord)) return found;
    this.#bad(`'${key}' must be a list of objects`);
    return [];
  }

  /** Pairs `[{node: port}, {node: port}]`. */
  #connections(given: unknown): NetworkItem[] {
    if (!Array.isArray(given)) {
      this.#bad("'connections' must be a list of pairs");
      return [];
    }
    return given.flatMap((pair): NetworkItem[] => {
      const ends = Array.isArray(pair) ? pair.map((end) => this.#endpoint(end)) : [];
      const [from, to] = ends;
      if (ends.length === 2 && from && to)
        return [{ kind: "link", ends: [from, to], mayFail: false, span: this.span }];
      this.#bad(`a connection must be [{node: port}, {node: port}], not ${JSON.stringify(pair)}`);
      return [];
    });
  }

  #endpoint(given: unknown): EndpointName | undefined {
    if (!isRecord(given)) return undefined;
    const [entry] = Object.entries(given);
    if (!entry || typeof entry[1] !== "number") return undefined;
    return { node: this.#name(entry[0]), port: entry[1], span: this.span };
  }

  #type(field: string, given: unknown): TypeExpression {
    const { span } = this;
    if (given === "boolean") return { kind: "bool", span };
    if (given === "Client_ids") return { kind: "client", span };
    const range = typeof given === "string" ? /^(\d+)\s*\.\.\s*(\d+)$/.exec(given) : null;
    if (range) return { kind: "range", low: Number(range[1]), high: Number(range[2]), span };
    if (Array.isArray(given) && given.every((value) => typeof value === "string")) {
      // Equal lists of values are one type.
      const key = given.join();
      const known = this.#types.get(key) ?? {
        kind: "enum",
        values: given.map((value) => this.#name(value)),
        span,
      };
      this.#types.set(key, known);
      return known;
    }
    if (typeof given === "string" && /^\w+$/.test(given))
      return { kind: "named", name: this.#name(given), span };
    this.#bad(`the field '${field}' has the type ${JSON.stringify(given)}, which is unknown`);
    return { kind: "bool", span };
  }

  #name(given: unknown): Name {
    const text = typeof given === "string" || typeof given === "number" ? String(given) : "";
    if (!/^[A-Za-z_]\w*$/.test(text)) this.#bad(`${JSON.stringify(given)} is no name`);
    return { text, span: this.span };
  }

  #bad(message: string): void {
    this.#diagnostics.push(diagnostic("sdn/bad-topology", `'${this.path}': ${message}`, this.span));
  }
}

const KNOWN = new Set([
  "switches",
  "clients",
  "packet",
  "rule_match_fields",
  "connections",
  "switch_counter",
  "drop_packet_tracking",
  "forward_packet_tracking",
]);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
