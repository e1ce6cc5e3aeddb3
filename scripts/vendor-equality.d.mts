/** The text of `src/code/collect/vitest-equality.js`, made of the package that is installed. */
export function vendoredEquality(): Promise<string>;
