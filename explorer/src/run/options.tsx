/** The form for a run's options. */
import type { RunChoices, RunRequest } from "../../../src/explorer/protocol.js";

export const isDefault = (request: RunRequest): boolean =>
  Object.entries(request).every(([name, value]) => name === "properties" || value === undefined);

interface Props {
  readonly choices: RunChoices;
  readonly request: RunRequest;
  readonly onChange: (request: RunRequest) => void;
}

export function RunOptions({ choices, request, onChange }: Props) {
  const set = (change: { [K in keyof RunRequest]?: RunRequest[K] | undefined }): void =>
    onChange(
      Object.fromEntries(
        Object.entries({ ...request, ...change }).filter(([, v]) => v !== undefined),
      ) as RunRequest,
    );
  const choose = (
    name: "engine" | "search" | "store" | "fairness",
    values: readonly string[],
    first: string,
  ) => (
    <label>
      {name}
      <select value={request[name] ?? ""} onChange={(e) => set({ [name]: e.target.value || undefined })}>
        <option value="">{first}</option>
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  );
  return (
    <div className="options">
      {choose(
        "engine",
        choices.engines.map(({ name }) => name),
        "what suits",
      )}
      {choose("search", choices.searches, "breadth-first")}
      {choose("store", choices.stores, "what suits")}
      {choose("fairness", choices.fairness, "none")}
      <label>
        reductions
        <select
          value={request.reductions === undefined ? "" : request.reductions.join(",") || "none"}
          onChange={({ target: { value } }) =>
            set({ reductions: value === "" ? undefined : value === "none" ? [] : value.split(",") })
          }
        >
          <option value="">once the whole system is outgrown</option>
          <option value="none">none</option>
          {choices.reductions.map((name) => (
            <option key={name} value={name}>
              {name === "all" ? "all sound ones" : `${name} alone`}
            </option>
          ))}
        </select>
      </label>
      {number("threads", request.workers, choices.mostWorkers, (workers) => set({ workers }), "1")}
      {number("most states", request.maxStates, 1e12, (maxStates) => set({ maxStates }), "no limit")}
      {number(
        "seconds",
        request.timeMs === undefined ? undefined : request.timeMs / 1000,
        1e7,
        (s) => set({ timeMs: s === undefined ? undefined : s * 1000 }),
        "no limit",
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={request.goesOn ?? false}
          onChange={(e) => set({ goesOn: e.target.checked || undefined })}
        />{" "}
        continue after the first error
      </label>
    </div>
  );
}

function number(
  label: string,
  value: number | undefined,
  most: number,
  onChange: (value: number | undefined) => void,
  empty: string,
) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={1}
        max={most}
        placeholder={empty}
        value={value ?? ""}
        onChange={({ target }) =>
          onChange(target.value === "" ? undefined : Math.min(most, Math.max(1, Number(target.value))))
        }
      />
    </label>
  );
}

/** Short description for lists of runs. */
export function describeRequest(request: RunRequest): string {
  const parts = [
    request.engine,
    request.search,
    request.store && `store ${request.store}`,
    request.reductions && `reductions ${request.reductions.join(", ") || "none"}`,
    request.fairness && `fairness ${request.fairness}`,
    request.workers && `${request.workers} threads`,
    request.maxStates && `at most ${request.maxStates} states`,
    request.timeMs && `at most ${request.timeMs / 1000} s`,
    request.goesOn && "all errors",
    request.properties && request.properties.join(", "),
  ].filter(Boolean);
  return parts.length === 0 ? "as the tool sees fit" : parts.join("; ");
}
