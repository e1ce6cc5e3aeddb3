/** As `assert.deepEqual` compares. */
export function isDeepEqual(a: unknown, b: unknown): boolean;
/** As `assert.deepStrictEqual` compares. */
export function isDeepStrictEqual(a: unknown, b: unknown): boolean;
