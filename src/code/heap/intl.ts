/** Formats, collators and locales of `Intl`: their options are not properties, and never change. */
import { tagOf } from "./tag.js";

export interface IntlFacts {
  /** Name of the class: `NumberFormat`. */
  readonly name: string;
  /** Arguments that create an equal object, as JSON: the options, or the text of a locale. */
  readonly made: string;
}

/** Undefined for other objects. The functions of this realm accept objects of any realm. */
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

/** Throws for objects of other classes. */
function factsBy(value: object, name: string, read: Read): IntlFacts[] {
  try {
    return [{ name, made: JSON.stringify(read.call(value)) }];
  } catch {
    return [];
  }
}
