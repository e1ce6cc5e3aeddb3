/** Errors as properties: a part that watches enters a state with the first error of its class, and nothing is blocked. */
import { LtsBuilder, type LtsNetwork, type Span } from "../../model/index.js";
import { entryOf } from "../../model/known.js";

/** `errors`: by label, the name of the property. */
export function watchErrors(
  { name, parts, vectors, span }: LtsNetwork,
  errors: ReadonlyMap<string, string>,
  properties: readonly string[],
  where: Span,
): LtsNetwork {
  const watch = (): LtsNetwork["parts"][number]["lts"] => {
    const builder = new LtsBuilder();
    const seen = builder.labels.of("seen");
    builder.add(0, seen, 1);
    builder.add(1, seen, 1);
    return builder.finish(2, [0]);
  };
  const numbers = new Map(properties.map((property, i) => [property, i]));
  return {
    name,
    span,
    parts: [
      ...parts,
      ...properties.map((property) => ({
        name: property,
        lts: watch(),
        states: ["none", "seen"],
        owner: "",
        watches: { state: 1, property, span: where },
      })),
    ],
    vectors: vectors.map(({ label, labels }) => {
      const property = errors.get(label);
      // sound: test/session/components.test.ts
      const number = property === undefined ? -1 : entryOf(numbers, property);
      return { label, labels: [...labels, ...properties.map((_, i) => (i === number ? "seen" : undefined))] };
    }),
  };
}
