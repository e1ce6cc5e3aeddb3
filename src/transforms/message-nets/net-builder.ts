/** Builds nets: places by name, transitions by their input and output places. */
import {
  tokensOf,
  type CoverProperty,
  type Net,
  type NetPlace,
  type NetTransition,
  type Span,
  type Tokens,
} from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";

/** Input and output places of a transition; a place that is both must be marked and stays so. */
export interface Firing {
  readonly takes: readonly number[];
  readonly gives: readonly number[];
  /** Places that must be marked and stay so. */
  readonly needs?: readonly number[];
}

export class NetBuilder {
  readonly #places: NetPlace[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #transitions: NetTransition[] = [];
  readonly #marked: number[] = [];
  #fresh = 0;

  place(name: string, span: Span): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#places.push({ name, span }) - 1;
    this.#numbers.set(name, number);
    return number;
  }

  /** A new place, without a key. */
  freshPlace(name: string, span: Span): number {
    return this.place(`${name} ${++this.#fresh}`, span);
  }

  mark(place: number): void {
    this.#marked.push(place);
  }

  fire(name: string, span: Span, { takes, gives, needs = [] }: Firing): void {
    const guard = new Map<number, number>();
    const effect = new Map<number, number>();
    const add = (to: Map<number, number>, place: number, count: number): void =>
      void to.set(place, (to.get(place) ?? 0) + count);
    for (const place of takes) {
      add(guard, place, 1);
      add(effect, place, -1);
    }
    for (const place of needs) guard.set(place, Math.max(1, guard.get(place) ?? 0)); // sound: test/transforms/message-nets/conditions.test.ts
    for (const place of gives) add(effect, place, 1);
    this.#transitions.push({ name, span, guard: tokensOf(guard), effect: tokensOf(effect) });
  }

  /** The net; its target is the disjunction of the alternatives. */
  net(name: string, span: Span | undefined, alternatives: readonly (readonly number[])[]): Net {
    const initial = this.#places.map(() => 0);
    for (const place of this.#marked) initial[place]!++;
    const property: CoverProperty = {
      name: "target",
      kind: "coverability",
      span,
      alternatives: alternatives.map((places) => tokensOf(new Map(places.map((place) => [place, 1])))),
    };
    return {
      kind: "net",
      name,
      places: this.#places,
      transitions: this.#transitions,
      initial,
      properties: [property],
    };
  }
}

/**
 * Removes transitions with an input place that no run marks (over-approximated by ignoring multiplicities), then places that no run
 * marks. Targets with an unmarked place are not coverable and are dropped; if none remains, the target is a place that is never
 * marked.
 */
export function trimmed(net: Net): Net {
  const isMarked = net.initial.map((count) => count > 0); // sound: test/transforms/message-nets/conditions.test.ts
  const canHappen = net.transitions.map(() => false);
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    net.transitions.forEach(({ guard, effect }, t) => {
      if (canHappen[t] || !guard.every(([place]) => isMarked[place])) return; // sound: test/transforms/message-nets/conditions.test.ts
      canHappen[t] = isChanged = true;
      for (const [place, count] of effect) if (count > 0) isMarked[place] = true; // sound: test/transforms/message-nets/conditions.test.ts
    });
  }
  const property = net.properties[0] as CoverProperty;
  const possible = property.alternatives.filter((tokens) => tokens.every(([place]) => isMarked[place])); // sound: test/transforms/message-nets/conditions.test.ts
  const kept = net.places.flatMap((_, place) => (isMarked[place] ? [place] : [])); // sound: test/transforms/message-nets/conditions.test.ts
  const numbers = new Map(kept.map((place, number) => [place, number]));
  const moved = (tokens: Tokens): Tokens =>
    tokens.map(([place, count]) => [entryOf(numbers, place), count] as const);
  const never: NetPlace = { name: "never", span: property.span ?? nth(net.places, 0).span };
  const places = kept.map((place) => nth(net.places, place));
  const isHopeless = possible.length === 0; // sound: test/transforms/message-nets/conditions.test.ts
  return {
    ...net,
    places: isHopeless ? [...places, never] : places,
    initial: [...kept.map((place) => nth(net.initial, place)), ...(isHopeless ? [0] : [])],
    transitions: net.transitions
      // sound: test/transforms/message-nets/conditions.test.ts
      .filter((_, t) => canHappen[t])
      .map((each) => ({ ...each, guard: moved(each.guard), effect: moved(each.effect) })),
    properties: [
      {
        ...property,
        alternatives: isHopeless ? [[[places.length, 1]]] : possible.map(moved), // sound: test/transforms/message-nets/conditions.test.ts
      } as CoverProperty,
    ],
  };
}
