/** Encodes the view in the page's address, so that a reload, a bookmark and `--at` lead to the same place. */

export const VIEWS = ["run", "trace", "walk", "graph", "compare"] as const;
export type ViewName = (typeof VIEWS)[number];

export interface Address {
  readonly view: ViewName;
  /** Schedule of the shown trace, of the walk, or of the graph's first state. */
  readonly at?: string;
  /** Trace: the selected step. */
  readonly step?: number;
  /** Walk: the trace to return to, and the step at which the walk left it. */
  readonly from?: string;
  readonly left?: number;
  /** Identifies a trace without a schedule by its run. */
  readonly run?: number;
  readonly property?: number;
}

export function parseAddress(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const view = VIEWS.find((name) => name === path) ?? "run";
  const values = new URLSearchParams(query);
  const number = (name: string): number | undefined => {
    const text = values.get(name);
    return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  return clean({
    view,
    at: values.get("at") ?? undefined,
    step: number("step"),
    from: values.get("from") ?? undefined,
    left: number("left"),
    run: number("run"),
    property: number("property"),
  });
}

export function formatAddress({ view, ...rest }: Address): string {
  const values = Object.entries(rest).filter(([, value]) => value !== undefined);
  // Schedules consist of digits, dots, stars and brackets, which need no escape and stay readable.
  const query = values.map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll("%2A", "*")}`,
  );
  return query.length === 0 ? `#/${view}` : `#/${view}?${query.join("&")}`;
}

const clean = <T extends object>(value: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
