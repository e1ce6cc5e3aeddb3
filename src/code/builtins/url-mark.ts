/**
 * How `URL` objects are known without naming the class: a test that names it has it, and all other global names of Node, evaluated in
 * every realm.
 *
 * The mark is an accessor of the prototype by a symbol that has no meaning there. It is one of the language's own, because the
 * bundler takes any other computed key for an effect, and would keep the class in every bundle.
 */

/** As `value instanceof URL`. */
export function isUrl(value: unknown): value is { readonly href: string } {
  if (typeof value !== "object" || value === null) return false;
  for (let at: unknown = Object.getPrototypeOf(value); at; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, Symbol.species) && Object.hasOwn(at, "searchParams")) return true;
  return false;
}
