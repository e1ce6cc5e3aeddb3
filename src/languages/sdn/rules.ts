import type { Rule } from "../../model/network.js";
import type * as ast from "./ast.js";
import { failureOutside } from "./possible-values.js";
import { Failure, type Code, type Lower, type Scope, type Shared } from "./scope.js";
import { INT } from "./types.js";

export function lowerRule(
  { priority, pattern, ports, expires, span }: ast.RuleExpression,
  scope: Scope,
  lower: Lower,
): Code {
  const { shared } = scope;
  const level = lower(priority, INT, scope);
  const out = lower(ports, { kind: "list", of: { kind: "port" } }, scope);
  refuseRepeated(pattern, shared);
  const matched = pattern.map(({ name, value }) => {
    if (name.text === "port")
      return { position: -1, code: lower(value, { kind: "port" }, scope), domain: [], place: -1 };
    const position = shared.fields.findIndex((field) => field.name === name.text);
    const field = shared.fields[position];
    if (!field)
      shared.report(
        "sdn/no-such-field",
        `packets have no field '${name.text}'`,
        name.span,
        "a rule matches on fields of packets, and on `port`, through which they came",
      );
    const domain = field?.domain ?? [];
    const place = failureOutside(
      domain,
      [value],
      "a rule matches on a value that no packet has",
      span,
      scope,
    );
    return { position, code: lower(value, field?.type, scope), domain, place };
  });
  return {
    type: { kind: "rule" },
    run: (env): Rule => {
      const fields: (number | undefined)[] = shared.fields.map(() => undefined);
      let port: number | undefined;
      for (const { position, code, domain, place } of matched) {
        const value = code.run(env) as number;
        if (position < 0) port = value;
        else {
          fields[position] = domain.indexOf(value);
          if (fields[position] < 0) throw new Failure(place);
        }
      }
      return {
        priority: level.run(env) as number,
        fields,
        port,
        ports: out.run(env) as readonly number[],
        expires,
      };
    },
  };
}

/** Reports a field given twice. */
export function refuseRepeated(fields: readonly { readonly name: ast.Name }[], { report }: Shared): void {
  const seen = new Set<string>();
  for (const { name } of fields) {
    // sound: test/languages/sdn/conditions.test.ts
    if (seen.has(name.text)) report("sdn/declared-twice", `'${name.text}' is given twice`, name.span);
    seen.add(name.text);
  }
}
