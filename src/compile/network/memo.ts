/** Memoises a function of three numbers. */
export class Memo<T> {
  readonly #maps: Map<number, Map<number, Map<number, T>>> = new Map();

  get(a: number, b: number, c: number, make: () => T): T {
    let second = this.#maps.get(a);
    if (!second) this.#maps.set(a, (second = new Map()));
    let third = second.get(b);
    if (!third) second.set(b, (third = new Map()));
    const known = third.get(c);
    if (known !== undefined) return known;
    const made = make();
    third.set(c, made);
    return made;
  }
}
