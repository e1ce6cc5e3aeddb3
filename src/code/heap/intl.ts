/** Formats, collators and locales of `Intl`: what they were made with stands in no property, and never changes. */
import { tagOf } from "./tag.js";

export interface IntlFacts {
  /** Of the class: `NumberFormat`. */
  readonly name: string;
  /** What makes another like it, as JSON: the options, or the text of a locale. */
  readonly made: string;
}

/** Undefined for every other object. The functions of this realm take objects of any. */
export function intlFacts(value: object): IntlFacts | undefined {
  let facts = known.get(value);
  if (facts || !tagOf(value)?.startsWith("Intl.")) return facts;
  facts = classes.flatMap(({ name, read }) => factsBy(value, name, read))[0];
  if (facts) known.set(value, facts);
  return facts;
}

const known = new WeakMap<object, IntlFacts>();

type Read = (this: unknown) => unknown;

const classes = Object.getOwnPropertyNames(Intl).flatMap((name): { name: string; read: Read }[] => {
  const { prototype } = Reflect.get(Intl, name) as { prototype?: { resolvedOptions?: Read; toString: Read } };
  const read = name === "Locale" ? prototype?.toString : prototype?.resolvedOptions;
  return read ? [{ name, read }] : [];
});

/** An object of another class is refused. */
function factsBy(value: object, name: string, read: Read): IntlFacts[] {
  try {
    return [{ name, made: JSON.stringify(read.call(value)) }];
  } catch {
    return [];
  }
}
