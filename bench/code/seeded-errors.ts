/** Errors that can be enabled in the small AODV model, with the published lengths of their shortest traces. */
export interface SeededError {
  readonly name: string;
  readonly where: string;
  readonly defines: string;
  /** Length of the shortest trace; if there is none, the number of all states. */
  readonly steps?: number;
  readonly states?: number;
  /** Default: "loop freedom". */
  readonly property?: string;
  readonly isLong?: boolean;
}

const order = "routes lead to fresher or nearer ones";
const reply = "no reply with an infinite hop count";

export const seededErrors: readonly SeededError[] = [
  { name: "RL0", where: "A3-Q2", defines: "RL0", states: 11_466 },
  { name: "RL0", where: "A4L-Q2", defines: "LINE4 RL0", steps: 19 },
  { name: "RL0", where: "A4L-Q3", defines: "LINE4 Q=3 RL0", steps: 17, isLong: true },
  { name: "RL0 half fixed", where: "A3-Q2", defines: "RL0H", states: 11_466 },
  { name: "RL0 half fixed", where: "A4L-Q2", defines: "LINE4 RL0H", steps: 19 },
  { name: "RL0 half fixed", where: "A4L-Q3", defines: "LINE4 Q=3 RL0H", steps: 17, isLong: true },
  { name: "RL1", where: "A3-Q2", defines: "RL1", states: 11_488 },
  { name: "RL1", where: "A4L-Q2", defines: "LINE4 RL1", steps: 13 },
  { name: "RL1", where: "A4L-Q3", defines: "LINE4 Q=3 RL1", steps: 12, isLong: true },
  { name: "RL2", where: "A3-Q1", defines: "Q=1 RL2", states: 708 },
  { name: "RL2", where: "A3-Q2", defines: "RL2", steps: 10 },
  { name: "RL2", where: "A4L-Q2", defines: "LINE4 RL2", steps: 10 },
  { name: "RL2", where: "A4L-Q3", defines: "LINE4 Q=3 RL2", steps: 9 },
  { name: "RL2e", where: "A3-Q2", defines: "RL2E" },
  { name: "RL2e", where: "A4L-Q2", defines: "LINE4 RL2E", states: 243_891 },
  { name: "RL2e", where: "A4L-Q3", defines: "LINE4 Q=3 RL2E", states: 1_035_117, isLong: true },
  { name: "RL3", where: "A3-Q2", defines: "RL3", steps: 10 },
  { name: "RL3", where: "A4L-Q2", defines: "LINE4 RL3", steps: 10 },
  { name: "RL3", where: "A4L-Q3", defines: "LINE4 Q=3 RL3", steps: 9 },
  { name: "RL3', timeout", where: "A3-Q2-TO1", defines: "TO=1 RL3T", steps: 10 },
  { name: "RL0, by the order", where: "A4L-Q2", defines: "LINE4 ORDER RL0", steps: 15, property: order },
  { name: "RL1, by the order", where: "A4L-Q2", defines: "LINE4 ORDER RL1", steps: 7, property: order },
  { name: "RL2, by the order", where: "A4L-Q2", defines: "LINE4 ORDER RL2", steps: 10, property: order },
  { name: "RL3, by the order", where: "A4L-Q2", defines: "LINE4 ORDER RL3", steps: 4, property: order },
  { name: "reboot, correct version", where: "A3-Q2", defines: "RB=1", steps: 10 },
  { name: "UM1, reboot", where: "A3-Q2", defines: "RB=1 UM1", steps: 6, property: "exceptions" },
  { name: "IP1", where: "A3-Q2", defines: "IP1", steps: 7, property: reply },
  { name: "IP1 and PA1", where: "A3-Q2", defines: "IP1 PA1", steps: 8, property: "hop 0 is the node itself" },
  {
    name: "RT1, gratuitous replies",
    where: "A3-Q2",
    defines: "GRAT RT1 LF=0",
    steps: 9,
    property: "exceptions",
  },
  { name: "IP1g", where: "queue of 3", defines: "GRAT Q=3 MAXBID=2 MAXSEQ=5", steps: 8, property: reply },
];
