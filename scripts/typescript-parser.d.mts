export function cutParser(compiler: string, names: readonly string[]): string;
export function namesUsed(texts: readonly string[]): string[];
