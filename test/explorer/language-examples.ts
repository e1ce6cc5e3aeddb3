/** An example of every language that the explorer shows. */
import { inRepository } from "../repository.js";

export interface LanguageExample {
  readonly args: readonly string[];
  /** Evidence of a violation. */
  readonly shows: "trace" | "schedule" | "derivation";
  readonly picture: string | null;
}

const example = (file: string, rest: Partial<LanguageExample> = {}): LanguageExample => ({
  shows: "trace",
  picture: null,
  ...rest,
  args: [inRepository("examples", file), ...(rest.args ?? [])],
});

/** One violation per language. */
export const languageExamples: Readonly<Record<string, LanguageExample>> = {
  promela: example("models/philosophers.pml"),
  murphi: example("models/lock-server.m", { args: ["-D", "CAREFUL=false"] }),
  mpp: example("messages/medical-mutant.mpp", { picture: "Flow" }),
  webextension: example("extensions/1-price-history/manifest.json", { picture: "Flow" }),
  mist: example("nets/lock.spec", { picture: "Net" }),
  pnml: example("nets/buffer.pnml", { args: ["--target", "item >= 3"], picture: "Net" }),
  bvas: example("nets/pairing.bvas", { shows: "derivation" }),
  gcl: example("guarded/hurry.gcl", { shows: "schedule" }),
  ndlog: example("declarative/balancer.ndlog", { shows: "schedule", picture: "Topology" }),
  bp: example("booleans/stop-race.bp"),
  c: example("c/midpoint.c", { shows: "schedule" }),
  rpp: example("nets/web-twice.rpp", { shows: "derivation" }),
  typescript: example("code/systems/routing-skeleton.ts", { args: ["-D", "TIMEOUTS"] }),
  machines: example("machines/cart-and-payment.ts"),
  schedules: example("code/stock.test.ts", { shows: "schedule" }),
  sdn: example("networks/learning.sdn", { picture: "Network" }),
  lts: example("lts/stuck.vectors"),
  fsp: example("lts/philosophers.fsp"),
  chi: example("chi/guard.chi"),
  fractal: example("components/C-started.fractal"),
  compose: example("compose/racing/compose.yaml"),
};
