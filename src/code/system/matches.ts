/**
 * `RegExp.$1` and similar properties describe the last match of any expression in the realm. This state cannot be
 * captured, so each step begins with a match of a marker; reading the marker means reading the match of an earlier
 * step, which is not supported.
 */
const MARK = "everypath: there was no match in this step (c2f1b0d4)";
const pattern = /^everypath: there was no match in this step \(c2f1b0d4\)$/;
const input = Object.getOwnPropertyDescriptor(RegExp, "input")?.get;

export function forgetMatches(): void {
  pattern.exec(MARK);
}

export function watchMatches(refuse: (what: string) => void): void {
  for (const name of Object.getOwnPropertyNames(RegExp)) {
    const found = Object.getOwnPropertyDescriptor(RegExp, name)!;
    // Only the static match properties, not `Symbol.species`.
    if (!found.get || !found.configurable) continue;
    Object.defineProperty(RegExp, name, {
      configurable: true,
      get: () => {
        // sound: test/code/system/hidden-conditions.test.ts
        if (input!.call(RegExp) === MARK) refuse(`RegExp["${name}"], which an earlier step may have set`);
        return found.get!.call(RegExp) as unknown;
      },
      set: () => refuse(`an assignment to RegExp["${name}"]`),
    });
  }
}
