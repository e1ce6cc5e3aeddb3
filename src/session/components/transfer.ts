/**
 * The state of the new system after an update, from the actions of the old one: both run side by side, and an action of the old system moves both. Actions that
 * only the new system has are free, but for errors and control operations. Where the new system cannot follow, the update has no image.
 */
import { componentNetwork, type ComponentNetwork } from "../../compile/components/index.js";
import { ltsProduct } from "../../compile/lts.js";
import { exploreLts } from "../../engines/explicit/index.js";
import {
  END_NAME,
  TAU_NAME,
  networkOf,
  type Architecture,
  type Component,
  type ComponentPath,
  type ControlOperation,
  type Lts,
  type LtsNetwork,
  type SyncVector,
} from "../../model/index.js";
import { known, nth } from "../../model/known.js";
import { actionsOf } from "../lts/labels.js";

export interface Transfer {
  /** The new system, started in every image. */
  readonly network: LtsNetwork;
  readonly fresh: ComponentNetwork;
  /** States of the old system in which the update is possible. */
  readonly states: number;
  readonly images: number;
  /** Those without an image, by their behaviours. */
  readonly lost: readonly string[];
}

const MOST_STATES = 200_000;

/** Undefined: a system is too large. The plan has one update. */
export async function transferByActions(architecture: Architecture): Promise<Transfer | undefined> {
  const { operations } = known(architecture.plan, "the plan of an update");
  const at = operations.findIndex(({ kind }) => kind === "update");
  const operation = nth(operations, at);
  if (operation.kind !== "update") throw new Error("there is no update");
  const rest = [...operations.slice(0, at), ...operations.slice(at + 1)];
  const old = componentNetwork(
    planned(architecture, operation, operations.slice(0, at), operation.version - 1),
  );
  const fresh = componentNetwork(planned(architecture, operation, rest, operation.version));
  const [before, after] = [await explored(old.network), await explored(fresh.network)];
  if (!before || !after) return undefined;
  const both = await explored(sideBySide(before, after, fresh));
  if (!both) return undefined;
  const position = (network: LtsNetwork): number => network.parts.findIndex(({ name }) => name === "plan");
  const isReady = (words: readonly number[]): boolean => words[position(old.network)] === at;
  const ready = wordsOf(before).flatMap((words, state) => (isReady(words) ? [state] : []));
  const images = new Map<number, Set<number>>(ready.map((state) => [state, new Set()]));
  for (const [from, to] of wordsOf(both).map(([a = 0, b = 0]) => [a, b] as const)) images.get(from)?.add(to);
  const reached = new Set([...images.values()].flatMap((each) => [...each]));
  return {
    network: networkOf(fresh.network.name, { ...after, initial: [...reached] }, architecture.span),
    fresh,
    states: ready.length,
    images: reached.size,
    // sound: test/session/components.test.ts
    lost: ready.flatMap((state) =>
      images.get(state)?.size === 0 ? [described(old.network, nth(wordsOf(before), state))] : [],
    ),
  };
}

/** The system with one version of the component, and a plan that is executed as a whole. */
function planned(
  architecture: Architecture,
  { component }: Extract<ControlOperation, { kind: "update" }>,
  operations: readonly ControlOperation[],
  version: number,
): Architecture {
  const root = withVersion(architecture.root, component, version);
  return { ...architecture, root, plan: { operations, deployed: operations.length } };
}

function withVersion(component: Component, [first, ...rest]: ComponentPath, version: number): Component {
  const { content } = component;
  if (content.kind === "primitive") {
    const own = nth(content.versions, version);
    const kept = <T extends { readonly name: string }>(all: readonly T[]): T[] =>
      all.filter(({ name }) => own.interfaces.has(name));
    return {
      ...component,
      provides: kept(component.provides),
      requires: kept(component.requires),
      content: { kind: "primitive", versions: [own] },
    };
  }
  const parts = content.parts.map((part) => (part.name === first ? withVersion(part, rest, version) : part));
  return { ...component, content: { kind: "composite", parts } };
}

/** Observations are the states of the parts. */
async function explored(network: LtsNetwork): Promise<Lts | undefined> {
  const { model } = ltsProduct(network);
  const width = network.parts.length;
  const source = {
    ...actionsOf(model, () => true),
    observe: (state: ArrayLike<number>, at: number) =>
      Array.from({ length: width }, (_, part) => (state[at + part] ?? 0) - 1).join(),
  };
  return (await exploreLts(source, { maxStates: MOST_STATES }, {})).lts;
}

const wordsOf = ({ observed }: Lts): number[][] => {
  const { numbers, names } = known(observed, "observed states");
  return Array.from(numbers, (number) => nth(names, number).split(",").map(Number));
};

function sideBySide(before: Lts, after: Lts, { errors, controls }: ComponentNetwork): LtsNetwork {
  const isVisible = (label: string): boolean => label !== TAU_NAME && label !== END_NAME;
  const together = before.labels.filter((label) => isVisible(label) && after.labels.includes(label));
  const alone = after.labels.filter(
    (label) =>
      // sound: test/session/components.test.ts
      isVisible(label) && !before.labels.includes(label) && !errors.has(label) && !controls.has(label),
  );
  const vectors: SyncVector[] = [
    ...together.map((label) => ({ label, labels: [label, label] })),
    ...alone.map((label) => ({ label, labels: [undefined, label] })),
  ];
  const parts = [
    { name: "old", lts: before },
    { name: "new", lts: after },
  ];
  return { name: "transfer", parts, vectors, span: { file: "", start: 0, end: 0 } };
}

/** The states of behaviours, which alone differ while the plan stands still. */
const described = ({ parts }: LtsNetwork, words: readonly number[]): string =>
  parts
    .flatMap(({ name, owner, states }, part) =>
      name === owner && name !== "plan" ? [`${name} = ${states?.[words[part] ?? 0] ?? ""}`] : [],
    )
    .join(", ");
