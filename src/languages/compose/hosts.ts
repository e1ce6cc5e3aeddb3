/** Names of services as hosts in environments and commands: `postgres://db:5432`, `DB_HOST=db`, `db:5432`. */
import type { Span } from "../../model/index.js";
import type { Entry, Value } from "./document.js";

export interface Mention {
  readonly service: string;
  readonly span: Span;
}

export function hostsIn(entries: readonly Entry[], names: ReadonlySet<string>): Mention[] {
  const found: Mention[] = [];
  for (const { key, value } of entries) {
    if (key !== "environment" && key !== "command" && key !== "entrypoint") continue;
    for (const { name, text, span } of textsIn(value))
      for (const service of names) if (mentions(text, service, name)) found.push({ service, span });
  }
  return found;
}

/** `name`: of the variable. */
function mentions(text: string, service: string, name: string): boolean {
  const word = service.replaceAll(/[.*+?^${}()|[\]\\-]/g, "\\$&");
  const inUrl = new RegExp(`(?://|@)${word}(?=[:/?,]|$)`);
  const withPort = new RegExp(`(?:^|[\\s,="'])${word}:\\d+`);
  return inUrl.test(text) || withPort.test(text) || (/HOST(?:NAME)?$/i.test(name) && text.trim() === service);
}

function textsIn(value: Value): { readonly name: string; readonly text: string; readonly span: Span }[] {
  if (value.kind === "map")
    return value.entries.flatMap(({ key, value: own }) =>
      own.kind === "scalar" ? [{ name: key, text: String(own.value), span: own.span }] : [],
    );
  if (value.kind === "list")
    return value.items.flatMap((item) => (item.kind === "scalar" ? textsIn(item) : []));
  const text = String(value.value);
  const [, name = "", rest = text] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  return [{ name, text: rest, span: value.span }];
}
