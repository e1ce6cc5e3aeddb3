/**
 * The text of the depth-first emptiness checks: Couvreur's components (`cou99`), and one plain search for weak graphs
 * (`dfs`). It handles the common case; for growth and rare cases it returns an event and is called again.
 *
 *   frames       by level of the path: the state, the marks of the arc that led there, its first arc, its next arc
 *   arcs         of all states of the path, each state's after its predecessor's: target, marks
 *   ranks        by state: 0 for unknown, `DEAD`, or the rank (components), 1 (plain: on the path)
 *   live         by rank: the state
 *   components   by component: its root's rank, the marks inside, and the marks of the arc that leads there
 *
 * Components are intervals of ranks: a live state belongs to the topmost one whose root's rank is not greater than its own.
 */
export interface PathLoop {
  /** Takes about `quota` steps. */
  advance(quota: number): Event;
}

/** Reason for leaving the loop. */
export const Event = {
  quota: 0,
  /** Every reachable state was visited, unless the depth was cut. */
  done: 1,
  accepting: 2,
  /** An array of the path has no room. */
  room: 3,
  full: 4,
  wider: 5,
} as const;
export type Event = (typeof Event)[keyof typeof Event];

export const Phase = {
  /** The topmost state was entered, and its arcs are not known. */
  expand: 0,
  /** Its successors are listed; some are not stored yet. */
  intern: 1,
  step: 2,
} as const;

const DEAD = -1;
export const FRAME_WORDS = 4;
export const COMPONENT_WORDS = 3;

/** Appends the arcs of the state `top` to the list: as text, between other names of the loop. */
export interface Expansion {
  readonly head: string;
  readonly locals: string;
  /** Runs until `phase` is `step`; may leave the loop with an event. */
  readonly expand: string;
  /** After the loop. */
  readonly keep: string;
  readonly bindings: Readonly<Record<string, unknown>>;
}

export type Algorithm = "components" | "plain";

export const emitPathLoop = (algorithm: Algorithm, expansion: Expansion, full: number): string => `
${expansion.head}
function advance(quota) {
  ${expansion.locals}
  const frames = path.frames, arcs = path.arcs, ranks = path.ranks, live = path.live, components = path.components;
  const frameRoom = path.frameRoom, arcRoom = path.arcRoom, rankRoom = path.rankRoom, liveRoom = path.liveRoom;
  const maxDepth = path.maxDepth;
  let height = path.height, arcEnd = path.arcEnd, phase = path.phase, states = path.states, stack = path.stack;
  let highest = path.highest, lastRank = path.lastRank, componentCount = path.componentCount, transitions = 0;
  let event = ${Event.quota};
  search: for (;;) {
    if (phase !== ${Phase.step}) {
      const top = frames[${FRAME_WORDS} * (height - 1)];
      ${expansion.expand}
      phase = ${Phase.step};
      states++;
      if (height > highest) highest = height;
      if (${stackOf(algorithm)} > stack) stack = ${stackOf(algorithm)};
    }
    if (--quota < 0) break;
    const frame = ${FRAME_WORDS} * (height - 1), arc = frames[frame + 3];
    if (arc === arcEnd) {
      const state = frames[frame];
      arcEnd = frames[frame + 2];
      height--;
      ${algorithm === "components" ? emitFinish : `ranks[state] = ${DEAD};`}
      // sound: test/engines/emptiness/answers.test.ts
      if (height === 0) { event = ${Event.done}; break; }
      continue;
    }
    const target = arcs[2 * arc], marks = arcs[2 * arc + 1], rank = ranks[target];
    if (rank === 0) {
      // sound: test/engines/emptiness/answers.test.ts
      if (height > maxDepth) path.isCut = true;
      else {
        if (height === frameRoom || lastRank + 1 >= liveRoom) { event = ${Event.room}; break; }
        ${emitEnter(algorithm)}
      }
    } else {
      ${algorithm === "components" ? emitMerge(full) : emitClose(full)}
    }
    transitions++;
    frames[frame + 3] = arc + 1;
  }
  ${expansion.keep}
  path.height = height;
  path.arcEnd = arcEnd;
  path.phase = phase;
  path.states = states;
  path.stack = stack;
  path.highest = highest;
  path.lastRank = lastRank;
  path.componentCount = componentCount;
  path.counted = transitions;
  return event;
}`;

/** By the algorithm's own measure. */
const stackOf = (algorithm: Algorithm): string => (algorithm === "components" ? "lastRank" : "height");

const emitEnter = (algorithm: Algorithm): string => `
const entered = ${FRAME_WORDS} * height;
frames[entered] = target;
frames[entered + 1] = marks;
frames[entered + 2] = arcEnd;
frames[entered + 3] = arcEnd;
height++;
phase = ${Phase.expand};
${
  algorithm === "plain"
    ? "ranks[target] = 1;"
    : `ranks[target] = ++lastRank;
live[lastRank] = target;
const component = ${COMPONENT_WORDS} * componentCount++;
components[component] = lastRank;
components[component + 1] = 0;
components[component + 2] = marks;`
}`;

/** If the state is the root of the topmost component, all its states are finished. */
const emitFinish = `const root = ranks[state];
      // sound: test/engines/emptiness/answers.test.ts
      if (root === components[${COMPONENT_WORDS} * (componentCount - 1)]) {
        componentCount--;
        for (let r = root; r <= lastRank; r++) ranks[live[r]] = ${DEAD};
        lastRank = root - 1;
      }`;

/** An arc to a live state closes a component: is it accepting? */
const emitMerge = (full: number): string => `
      // sound: test/engines/emptiness/answers.test.ts
      if (rank > 0) {
        let merged = componentCount - 1, union = marks;
        // sound: test/engines/emptiness/answers.test.ts
        for (; rank < components[${COMPONENT_WORDS} * merged]; merged--)
          union |= components[${COMPONENT_WORDS} * merged + 1] | components[${COMPONENT_WORDS} * merged + 2];
        componentCount = merged + 1;
        union |= components[${COMPONENT_WORDS} * merged + 1];
        components[${COMPONENT_WORDS} * merged + 1] = union;
        // sound: test/engines/emptiness/answers.test.ts
        if (union === ${full}) { transitions++; path.closing = target; event = ${Event.accepting}; break; }
      }`;

/** In a weak graph a cycle is accepting if its last arc is. */
const emitClose = (full: number): string => `
      // sound: test/engines/emptiness/answers.test.ts
      if (rank > 0 && marks === ${full}) { transitions++; path.closing = target; event = ${Event.accepting}; break; }`;
