/**
 * Recognises `URL` objects without naming the class: naming it would evaluate it, and all other global names of Node,
 * in every realm.
 *
 * The mark is an accessor of the prototype under an otherwise meaningless symbol. It must be a well-known symbol,
 * because the bundler treats any other computed key as a side effect, and would keep the class in every bundle.
 */

/** Like `value instanceof URL`. */
export function isUrl(value: unknown): value is { readonly href: string } {
  if (typeof value !== "object" || value === null) return false;
  for (let at: unknown = Object.getPrototypeOf(value); at; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, Symbol.species) && Object.hasOwn(at, "searchParams")) return true;
  return false;
}
