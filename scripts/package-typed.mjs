/** A program that uses every entry of the package, to be compiled against its declarations. */
export const typedUses = `
import { check, renderCheck, type CheckReport, type CodeCoverage, type Model, type PropertyReport } from "everypath";
import { History, everySchedule, type Exploration } from "everypath/code";
import { everySchedule as forJest } from "everypath/jest";
import { everySchedule as forNode } from "everypath/node-test";
import { defineSystem, type Environment } from "everypath/system";

const report: CheckReport = await check({ file: "a.pml", text: "active proctype p() { skip }" });
export const text: string = renderCheck(report);
export const names: string[] = report.properties.map(({ property }: PropertyReport) => property.name);
export const covered: CodeCoverage | undefined = report.coverage;
export type Opened = Model;

const explored: Exploration = await everySchedule("a", async (world) => void world.choose(2)).run();
export const verdict: "holds" | "violated" | "unknown" = explored.verdict;
forJest("b", async () => {}, { schedules: 10 });
forNode("c", async () => {});
// @ts-expect-error An unknown option is an error, so the types have been found.
forNode("d", async () => {}, { unheardOf: true });

class Counter {
  count = 0;
  constructor(readonly environment: Environment) {}
  onMessage(_from: string, message: { add: number }): void {
    this.count += message.add;
  }
}
export const history = new History();
export default defineSystem<Counter>({
  nodes: { a: (environment) => new Counter(environment) },
  always: { small: ({ nodes }) => (nodes["a"]?.count ?? 0) < 3 },
});
`;
