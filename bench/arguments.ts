/** The value of option `--name` on the command line. */
export function argument(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** Seeds of a fuzzer's cases: `--seeds 3,5,8`, or `--count` of them from `--from` on. */
export function seedsOf(from: number, count: number, seeds = argument("seeds")): readonly number[] {
  return seeds === undefined
    ? Array.from({ length: count }, (_, i) => from + i)
    : seeds.split(",").map(Number);
}
