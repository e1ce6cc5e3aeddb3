/** Texts with a mistake, by file name. */
export const broken: Readonly<Record<string, string>>;
