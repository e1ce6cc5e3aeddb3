/** Environments that show each error of the examples, with published data. */
import { catalogue as aodvErrors, type RouterError } from "../../examples/code/aodv/errors.js";
import { catalogue as tcpErrors, type TcpError } from "../../examples/code/tcp/errors.js";

export const aodvFile = "examples/code/aodv/system.ts";
export const tcpFile = "examples/code/tcp/system.ts";

export interface ErrorRow {
  readonly name: string;
  readonly description: string;
  /** `-D`, separated by blanks, besides the error itself. */
  readonly environment: string;
  readonly property: string;
  /** Length of the shortest trace. */
  readonly steps: number;
}

const leak = "no leaks";
const crash = "exceptions";
const packet = "packets are in order";
const loop = "loop freedom";

/** By the classes of the published table. */
export const aodvRows: readonly (ErrorRow & { readonly class: string })[] = [
  ...rows("mishandled allocation failure", [
    ["AF1", "FAILURES=1", crash, 5],
    ["AF2", "FAILURES=1", crash, 5],
    ["AF3", "FAILURES=1", crash, 2],
    ["AF4", "FAILURES=1", crash, 3],
    ["AF5", "FAILURES=1", crash, 5],
    ["AF6", "FAILURES=1", crash, 4],
    ["AF7", "FAILURES=1", crash, 2],
    ["AF8", "FAILURES=1", packet, 8],
    ["AF9", "FAILURES=1", crash, 2],
    ["AF10", "GRAT FAILURES=1", crash, 5],
    ["AF11", "FAILURES=1", crash, 1],
    ["AF12", "FAILURES=1", crash, 2],
  ]),
  ...rows("memory leak", [
    ["ML1", "FAILURES=1", leak, 2],
    ["ML2", "FAILURES=1", leak, 5],
    ["ML3", "FAILURES=1", leak, 9],
    ["ML4", "", leak, 4],
    ["ML5", "", leak, 9],
    ["ML6", "", leak, 4],
    ["ML7", "TO=1", leak, 6],
    ["ML8", "TO=1 RETRIES=0", leak, 2],
  ]),
  ...rows("use after free", [
    ["UF1", "", crash, 6],
    ["UF2", "", crash, 1],
  ]),
  ...rows("invalid routing-table entry", [["RT1", "GRAT", "routing tables are in order", 9]]),
  ...rows("unexpected message", [
    ["UM1", "RB=1", crash, 7],
    ["UM2", "FORGED=1", crash, 1],
  ]),
  ...rows("invalid packets generated", [
    ["IP1", "", packet, 7],
    ["IP2", "", packet, 2],
    ["IP3", "GRAT", packet, 7],
    ["IP4", "TO=1", packet, 5],
    ["IP5", "", packet, 2],
  ]),
  ...rows("program assertion failure", [
    ["PA1", "FORGED=1", "assertions", 1],
    ["PA2", "FORGED=1", "assertions", 1],
  ]),
  ...rows("routing loop", [
    ["RL0", "LINE4", loop, 19],
    ["RL1", "LINE4", loop, 13],
    ["RL2", "", loop, 10],
    ["RL3", "", loop, 10],
  ]),
];

function rows(
  kind: string,
  list: readonly (readonly [RouterError, string, string, number])[],
): (ErrorRow & { class: string })[] {
  return list.map(([name, environment, property, steps]) => ({
    class: kind,
    ...{ name, description: aodvErrors[name], environment, property, steps },
  }));
}

/** Errors that CMC found in mad-hoc, Kernel AODV and AODV-UU, by class: reports, the same error counted in each. */
export const published: readonly (readonly [string, number, number, number])[] = [
  ["mishandled allocation failure", 4, 6, 2],
  ["memory leak", 5, 3, 0],
  ["use after free", 1, 1, 0],
  ["invalid routing-table entry", 0, 0, 1],
  ["unexpected message", 2, 0, 0],
  ["invalid packets generated", 3, 2, 2],
  ["program assertion failure", 1, 1, 1],
  ["routing loop", 2, 3, 2],
];

/** Combinations of errors as in the three implementations. */
export const presets: Readonly<Record<string, readonly RouterError[]>> = {
  "mad-hoc": names("AF1 AF2 AF3 AF4 ML1 ML2 ML3 ML4 ML5 UF1 UM1 UM2 IP1 IP2 IP3 PA1 RL0 RL2"),
  "Kernel AODV": names("AF5 AF6 AF7 AF8 AF9 AF10 ML6 ML7 ML8 UF2 IP1 IP2 PA1 RL0 RL1 RL2"),
  "AODV-UU": names("AF11 AF12 RT1 IP4 IP5 PA2 RL0 RL3"),
};

function names(text: string): RouterError[] {
  return text.split(" ") as RouterError[];
}

/** Faults of the environment, one at a time: all together have too many states. */
export const aodvEnvironments: readonly {
  readonly name: string;
  readonly defines: string;
  /** The only property checked: a restart without the protocol's waiting time causes loops. */
  readonly property?: string;
}[] = [
  { name: "links fail", defines: "" },
  { name: "records run out", defines: "FAILURES=1" },
  { name: "gratuitous replies, records run out", defines: "GRAT FAILURES=1" },
  { name: "timeouts", defines: "TO=1" },
  { name: "searches are given up", defines: "TO=1 RETRIES=0" },
  { name: "forged packets", defines: "FORGED=1" },
  { name: "restarts", defines: "RB=1", property: "exceptions" },
  { name: "four nodes in a line", defines: "LINE4" },
];

const standard = "as the standard says";

export const tcpRows: readonly ErrorRow[] = (
  [
    ["T1", "", standard, 6],
    ["T1", "ENV=3", standard, 5],
    ["T2", "", standard, 4],
    ["T3", "ENV=3", standard, 4],
    ["T4", "ENV=3 DATA=2 Q=3", standard, 9],
    ["LEAK_LISTENER", "RETURN WARM DUPLICATES=0", "what was held is given back", 3],
    ["LEAK_TIMER", "ENV=3 RETURN WARM DUPLICATES=0", "what was held is given back", 3],
  ] as const satisfies readonly (readonly [TcpError, string, string, number])[]
).map(([name, environment, property, steps]) => ({
  ...{ name, description: tcpErrors[name], environment, property, steps },
}));

/** Coverage of each environment of the kernel's TCP in percent, and the number of errors it added. */
export const publishedTcp: readonly (readonly [
  environment: string,
  line: number,
  protocol: number,
  branching: number,
  errors: number,
])[] = [
  ["1", 47.4, 64.7, 2.91, 2],
  ["2", 51.0, 66.7, 3.67, 0],
  ["3", 52.7, 79.5, 3.89, 2],
  ["4", 50.6, 84.3, 7.01, 0],
];

/** Without errors, all states are searched; coverage is measured with less. */
export const tcpEnvironments = [
  ["1", "ENV=1", "ENV=1 DUPLICATES=0"],
  ["2", "ENV=2", "ENV=2 DUPLICATES=0"],
  ["3", "ENV=3 DUPLICATES=0", "ENV=3 DUPLICATES=0 TIMEOUTS=1"],
  ["4", "ENV=4 DUPLICATES=0 TIMEOUTS=1", "ENV=4 DUPLICATES=0 TIMEOUTS=1 DATA=0"],
] as const;
