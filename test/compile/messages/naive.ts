/** Naive interpreter of message-passing programs: states are plain data, bags are sorted lists of texts. */
import {
  isInPolicy,
  nowhere,
  provenanceAfter,
  type DomainEvent,
  type MessageAction,
  type MessageProgram,
  type TravelledMessage,
} from "../../../src/model/index.js";

interface Standing {
  readonly principal: number;
  readonly location: number;
  readonly held: readonly TravelledMessage[];
}

export interface NaiveState {
  /** Initial principals in program order, then spawned ones. */
  readonly standing: readonly Standing[];
  readonly channels: readonly (readonly TravelledMessage[])[];
}

export function naiveStart({ principals, channels }: MessageProgram): NaiveState {
  const standing = principals.flatMap(({ isSpawned, variables }, principal) =>
    isSpawned ? [] : [{ principal, location: 0, held: variables.map(() => none) }],
  );
  return { standing, channels: channels.map(() => []) };
}

const none: TravelledMessage = { message: 0, provenance: nowhere };

/** Key of a state, independent of the order among equals. */
export function naiveKey({ standing, channels }: NaiveState): string {
  const sorted = (list: readonly unknown[]): string[] => list.map((each) => JSON.stringify(each)).sort();
  return JSON.stringify([sorted(standing), channels.map(sorted)]);
}

export interface NaiveStep {
  /** Principal, edge, location, and the held and received messages. */
  readonly label: string;
  readonly next: NaiveState;
}

export function naiveSteps(program: MessageProgram, state: NaiveState): NaiveStep[] {
  return state.standing.flatMap(({ principal, location, held }, who) =>
    program.principals[principal]!.locations[location]!.flatMap(({ action, to }, edge) =>
      effects(program, principal, held, action, state).map((effect) => ({
        label: labelOf(principal, location, edge, held, effect.taken),
        next: {
          channels: effect.channels ?? state.channels,
          standing: [
            ...state.standing.with(who, { principal, location: to, held: effect.held ?? held }),
            ...(effect.born ? [effect.born] : []),
          ],
        },
      })),
    ),
  );
}

export const labelOf = (
  principal: number,
  location: number,
  edge: number,
  held: readonly TravelledMessage[],
  taken: TravelledMessage | undefined,
): string =>
  JSON.stringify([
    principal,
    location,
    edge,
    ...[...held, taken].map((it) => it && [it.message, it.provenance]),
  ]);

interface Effect {
  readonly taken?: TravelledMessage;
  readonly held?: readonly TravelledMessage[];
  readonly channels?: NaiveState["channels"];
  readonly born?: Standing;
}

function effects(
  { domain, tests, principals }: MessageProgram,
  principal: number,
  held: readonly TravelledMessage[],
  action: MessageAction,
  { channels }: NaiveState,
): Effect[] {
  const after = (event: DomainEvent, { provenance }: TravelledMessage) =>
    provenanceAfter(domain, event, provenance);
  switch (action.kind) {
    case "skip":
      return [{}];
    case "fresh":
      return [{ held: held.with(action.target, { message: action.message, provenance: nowhere }) }];
    case "apply": {
      const source = held[action.source]!;
      const event = { kind: "operation", operation: action.operation, principal } as const;
      const provenance = action.operation === -1 ? source.provenance : after(event, source);
      return [{ held: held.with(action.target, { message: action.image[source.message]!, provenance }) }];
    }
    case "assume":
      return (held[action.variable]!.message === action.message) === action.isEqual ? [{}] : [];
    case "test":
      return isInPolicy(tests[action.test]!, held[action.variable]!.provenance) === action.isMember
        ? [{}]
        : [];
    case "send": {
      const value = held[action.variable]!;
      const sent = { message: value.message, provenance: after({ kind: "send", principal }, value) };
      return [{ channels: channels.with(action.channel, [...channels[action.channel]!, sent]) }];
    }
    case "receive":
      return channels[action.channel]!.map((message, at) => ({
        taken: message,
        channels: channels.with(action.channel, channels[action.channel]!.toSpliced(at, 1)),
        held: held.with(action.variable, {
          message: message.message,
          provenance: after({ kind: "receive", principal }, message),
        }),
      }));
    case "spawn": {
      const { variables } = principals[action.principal]!;
      return [{ born: { principal: action.principal, location: 0, held: variables.map(() => none) } }];
    }
  }
}

/** Does the property, the only one, fail in the state? */
export function naiveFails({ properties: [property] }: MessageProgram, { standing }: NaiveState): boolean {
  const { principal, variable, policy, isAllowed, when } = property!;
  return standing.some((one) => {
    if (one.principal !== principal) return false;
    const asked = !when
      ? [true]
      : (when.principal === principal
          ? [one]
          : standing.filter((other) => other.principal === when.principal)
        ).map(({ held }) => held[when.variable]!.message === when.message);
    return asked.includes(true) && isInPolicy(policy, one.held[variable]!.provenance) !== isAllowed;
  });
}

/** All states within the limits on messages in transit and principals, up to the given number. */
export function naiveStates(
  program: MessageProgram,
  { mostStates = 300, mostMessages = 3, mostPrincipals = 5 } = {},
): { readonly states: ReadonlyMap<string, NaiveState>; readonly isComplete: boolean } {
  const start = naiveStart(program);
  const states = new Map([[naiveKey(start), start]]);
  let isComplete = true;
  for (const state of states.values())
    for (const { next } of naiveSteps(program, state)) {
      const isFew =
        next.standing.length <= mostPrincipals &&
        next.channels.every(({ length }) => length <= mostMessages) &&
        states.size < mostStates;
      if (!isFew) isComplete = false;
      else if (!states.has(naiveKey(next))) states.set(naiveKey(next), next);
    }
  return { states, isComplete };
}
