/** Resolves the global names of a program. */
import type { Span } from "../../model/diagnostic.js";
import type { Policy, ProvenanceDomain } from "../../model/provenance.js";
import type { Report } from "../toolkit/diagnostics.js";
import type { Named, PolicyNode } from "../toolkit/provenance/ast.js";
import { resolvePolicy, type PolicyScope } from "../toolkit/provenance/resolve.js";
import type { Declaration, OperationNode, PrincipalNode } from "./ast.js";
import { resolveDomain } from "./domain.js";

export interface Operation {
  /** Index into the program's operations. */
  readonly index: number;
  readonly image: readonly number[];
}

export class ProgramScope implements PolicyScope {
  readonly messages: readonly string[];
  readonly channels: readonly string[];
  readonly operations: readonly string[];
  readonly principals: readonly { readonly name: string; readonly variables: readonly string[] }[];
  readonly domain: ProvenanceDomain;
  readonly tests: Policy[] = [];
  readonly report: Report;
  readonly textOf: (span: Span) => string;
  readonly #images = new Map<string, readonly number[]>();

  constructor(declarations: readonly Declaration[], textOf: (span: Span) => string, report: Report) {
    this.report = report;
    this.textOf = textOf;
    const of = <K extends Declaration["kind"]>(kind: K): (Declaration & { readonly kind: K })[] =>
      declarations.filter((d): d is Declaration & { readonly kind: K } => d.kind === kind);
    const messages = of("messages").flatMap(({ names }) => names);
    const channels = of("channels").flatMap(({ names }) => names);
    const operations: OperationNode[] = of("operation");
    const principals: PrincipalNode[] = of("principal");
    this.messages = ["none", ...messages.map(({ text }) => text)];
    this.channels = channels.map(({ text }) => text);
    // A message is also an operation: `HA(d1)` is the message `HA` with the provenance of `d1`.
    this.operations = [...operations.map(({ name }) => name.text), ...this.messages];
    this.principals = principals.map(({ name, variables }) => ({
      name: name.text,
      variables: variables.map(({ text }) => text),
    }));
    this.#refuseDuplicates([...messages, ...operations.map(({ name }) => name)], "message or operation", [
      "none",
    ]);
    this.#refuseDuplicates(channels, "channel");
    this.#refuseDuplicates(
      of("domain").map(({ name }) => name),
      "domain",
      ["language", "set"],
    );
    this.#refuseDuplicates(
      principals.map(({ name }) => name),
      "principal",
    );
    for (const { variables } of principals) this.#refuseDuplicates(variables, "variable", this.messages);
    this.#refuseDuplicates(
      of("property").map(({ name }) => name),
      "property",
    );
    for (const operation of operations) this.#images.set(operation.name.text, this.#imageOf(operation));
    this.messages.forEach((name, index) =>
      this.#images.set(
        name,
        this.messages.map(() => index),
      ),
    );
    this.domain = resolveDomain(of("domain"), of("domain-choice"), this);
  }

  error(code: string, span: Span, message: string, hint?: string): void {
    this.report({ code: `mpp/${code}`, severity: "error", message, span, ...(hint ? { hint } : {}) });
  }

  warn(code: string, span: Span, message: string, hint?: string): void {
    this.report({ code: `mpp/${code}`, severity: "warning", message, span, ...(hint ? { hint } : {}) });
  }

  messageOf(name: Named): number | undefined {
    const index = this.messages.indexOf(name.text);
    if (index >= 0) return index;
    this.error("unknown-message", name.span, `there is no message \`${name.text}\``, listed(this.messages));
    return undefined;
  }

  channelOf(name: Named): number | undefined {
    const index = this.channels.indexOf(name.text);
    if (index >= 0) return index;
    this.error("unknown-channel", name.span, `there is no channel \`${name.text}\``, listed(this.channels));
    return undefined;
  }

  principalOf(name: Named): number | undefined {
    const names = this.principals.map((principal) => principal.name);
    const index = names.indexOf(name.text);
    if (index >= 0) return index;
    this.error("unknown-principal", name.span, `there is no principal \`${name.text}\``, listed(names));
    return undefined;
  }

  operationOf(name: Named): Operation | undefined {
    const image = this.#images.get(name.text);
    if (image) return { index: this.operations.indexOf(name.text), image };
    this.error(
      "unknown-operation",
      name.span,
      `there is no message or operation \`${name.text}\``,
      listed(this.operations),
    );
    return undefined;
  }

  /** Index of the policy that a conditional tests. */
  testOf(node: PolicyNode): number | undefined {
    const policy = resolvePolicy(node, this);
    if (!policy) return undefined;
    const text = JSON.stringify(policy);
    const known = this.tests.findIndex((test) => JSON.stringify(test) === text);
    return known < 0 ? this.tests.push(policy) - 1 : known;
  }

  #imageOf({ name, images, others }: OperationNode): readonly number[] {
    const image = new Map<number, number>();
    for (const { from, to } of images) {
      const source = this.messageOf(from);
      const target = this.messageOf(to);
      if (source === undefined || target === undefined) continue;
      if (image.has(source))
        this.error("duplicate-image", from.span, `\`${name.text}\` maps \`${from.text}\` twice`);
      image.set(source, target);
    }
    const rest = others?.to ? this.messageOf(others.to) : undefined;
    const missing = this.messages.filter((_, m) => m > 0 && !image.has(m));
    if (!others && missing.length > 0)
      this.error(
        "partial-operation",
        name.span,
        `\`${name.text}\` has no image for ${missing.map((m) => `\`${m}\``).join(", ")}`,
        "add them, or `* -> same;`",
      );
    return this.messages.map((_, m) => image.get(m) ?? rest ?? m);
  }

  #refuseDuplicates(names: readonly Named[], what: string, taken: readonly string[] = []): void {
    const seen = new Map<string, Span | undefined>(taken.map((text) => [text, undefined]));
    for (const { text, span } of names) {
      const first = seen.get(text);
      if (seen.has(text))
        this.report({
          code: "mpp/duplicate-name",
          severity: "error",
          message: `the name \`${text}\` is in use: it cannot also be a ${what}`,
          span,
          ...(first ? { notes: [{ span: first, message: "declared here" }] } : {}),
        });
      else seen.set(text, span);
    }
  }
}

const listed = (names: readonly string[]): string =>
  names.length === 0 ? "none is declared" : `there are: ${names.join(", ")}`;
