/**
 * Leader election by extinction among three fully connected peers (Tel's textbook), as a hand-written system with the
 * steps of Spin's statement merging: the example of table 2 of Couvreur, Duret-Lutz and Poitrenaud 2005.
 *
 * A controller (agent 0) starts a round, in which peer 0, 1 or 2 wins in turn; the peers are agents 1 to 3. Steps are
 * ordered by decreasing agent, then as in the text. A start message is a rendezvous.
 *
 * State: `Global`, then `PEER_WORDS` for each peer (`Peer`), then one word for each of the six channels: its messages,
 * three bits each, the oldest lowest; a message is 1 + its number, + 3 if it names a winner.
 */
import type { Successors, System, Words } from "../../src/model/index.js";

export interface ElectionOptions {
  /** Set variables to zero where Spin finds that they are not read again. */
  readonly resetsDead: boolean;
  /** Peer 0 wins every round, not each in turn. */
  readonly hasFixedWinner?: boolean;
}

export const election = ({ resetsDead, hasFixedWinner = false }: ElectionOptions): System => ({
  width: WIDTH,
  compareFrom: 0,
  labels: "agents",
  initial(out) {
    out.words.fill(0, 0, WIDTH);
    out.count = 1;
  },
  successors(state, at, out) {
    const step = new Step(state, at, out);
    for (let me = 2; me >= 0; me--) movePeer(step, me, resetsDead);
    moveController(step, hasFixedWinner ? 8 : 9);
  },
  status: () => 0,
});

/** Bits 0 to 4: no leader; one leader, who is 0, 1, 2, or not known. */
export function electionValuation(state: Words): number {
  if (state[Global.leaders] === 0) return 1;
  return state[Global.leaders] === 1 ? 2 << state[Global.leader] : 0;
}

const Global = { leaders: 0, done: 1, leader: 2, place: 3, shift: 4 } as const;
const Peer = { place: 0, cur: 1, echoes: 2, winners: 3, parent: 4, best: 5, v: 6, shift: 7 } as const;
const FIRST_PEER = 5;
const PEER_WORDS = 8;
const FIRST_CHANNEL = FIRST_PEER + 3 * PEER_WORDS;
const WIDTH = FIRST_CHANNEL + 6;
const UNKNOWN = 3;
const CAPACITY = 10;
const WINNER = 3;

/** Locations of a peer, followed by the locations of its two handlers. */
const At = {
  absent: 0,
  start: 1,
  init: 2,
  sendA: 3,
  sendB: 4,
  head: 5,
  chosen: 6,
  won: 7,
  count: 8,
  claim: 9,
} as const;
const NextAt = { done: 10, lost: 11 } as const;
const WinnerAt = { test: 0, forwardA: 1, forwardB: 2, note: 3, skip: 4 } as const;
const TokenAt = {
  test: 0,
  forward: 1,
  skip: 2,
  compare: 3,
  echo: 4,
  other: 5,
  winA: 6,
  winB: 7,
  backA: 8,
  backB: 9,
  none: 10,
} as const;
const WINNER_PLACES = [20, 30] as const;
const TOKEN_PLACES = [40, 60] as const;

/** The source state and its successors. */
class Step {
  readonly #state: Words;
  readonly #at: number;
  readonly #out: Successors;

  constructor(state: Words, at: number, out: Successors) {
    this.#state = state;
    this.#at = at;
    this.#out = out;
  }

  get(word: number): number {
    return this.#state[this.#at + word];
  }

  /** Appends a copy of the state, to be changed. */
  take(agents: number): Words {
    const out = this.#out;
    if (out.count === out.capacity) out.grow();
    const base = out.count * WIDTH;
    for (let k = 0; k < WIDTH; k++) out.words[base + k] = this.#state[this.#at + k];
    out.labels[out.count++] = agents;
    return out.words.subarray(base, base + WIDTH);
  }
}

/** `last`: the place before the restart; the step from place 9 passes the turn on. */
function moveController(step: Step, last: number): void {
  const place = step.get(Global.place);
  const starts = place - 5;
  if (starts >= 0 && starts < 3) return startPeer(step, starts);
  if (place === 8 && step.get(Global.done) !== 3) return;
  const next = step.take(1);
  next[Global.place] = place === last ? 1 : place + 1;
  if (place === 0) for (let peer = 0; peer < 3; peer++) next[FIRST_PEER + peer * PEER_WORDS] = At.start;
  if (place === 2) next[Global.done] = 0;
  if (place === 3) next[Global.leaders] = 0;
  if (place === 4) next[Global.leader] = UNKNOWN;
  if (place === 9) next[Global.shift] = (next[Global.shift] + 1) % 3;
}

function startPeer(step: Step, peer: number): void {
  const base = FIRST_PEER + peer * PEER_WORDS;
  if (step.get(base) !== At.start) return;
  const next = step.take(1 | (2 << peer));
  next[Global.place]++;
  next[base] = At.init;
  next[base + Peer.shift] = next[Global.shift];
}

function movePeer(step: Step, me: number, resetsDead: boolean): void {
  const base = FIRST_PEER + me * PEER_WORDS;
  const place = step.get(base);
  if (place >= TOKEN_PLACES[0]) return handleToken(step, me, place >= TOKEN_PLACES[1] ? 1 : 0, resetsDead);
  if (place >= WINNER_PLACES[0]) return handleWinner(step, me, place >= WINNER_PLACES[1] ? 1 : 0);
  const agent = 2 << me;
  const go = (to: number): Words => {
    const next = step.take(agent);
    next[base] = to;
    return next;
  };
  switch (place) {
    case At.init: {
      const next = go(At.sendA);
      const values = [me, 0, 0, UNKNOWN, UNKNOWN, resetsDead ? 0 : UNKNOWN];
      for (const [i, value] of values.entries()) next[base + Peer.cur + i] = value;
      return;
    }
    case At.sendA:
      return send(step, me, 0, me, At.sendB);
    case At.sendB:
      return send(step, me, 1, me, At.head);
    case At.head:
      return atHead(step, me, resetsDead);
    case At.chosen: {
      const isMine = step.get(base + Peer.best) === me;
      const next = go(isMine ? At.won : NextAt.lost);
      if (isMine && resetsDead) next[base + Peer.best] = 0;
      return;
    }
    case At.won:
      go(At.count)[Global.leader] = me;
      return;
    case At.count:
      go(At.claim)[Global.leaders]++;
      return;
    case At.claim:
      if (step.get(Global.leaders) !== 1) throw new Error("two leaders");
      go(NextAt.done);
      return;
    case NextAt.lost:
      go(NextAt.done);
      return;
    case NextAt.done:
      go(At.start)[Global.done]++;
      return;
  }
}

function atHead(step: Step, me: number, resetsDead: boolean): void {
  const base = FIRST_PEER + me * PEER_WORDS;
  if (step.get(base + Peer.winners) === 2) {
    const next = step.take(2 << me);
    next[base] = At.chosen;
    if (resetsDead) next[base + Peer.winners] = 0;
  }
  for (const side of [0, 1] as const) receive(step, me, side, true, WINNER_PLACES[side]);
  for (const side of [0, 1] as const) receive(step, me, side, false, TOKEN_PLACES[side]);
}

function handleWinner(step: Step, me: number, side: 0 | 1): void {
  const base = FIRST_PEER + me * PEER_WORDS;
  const first = WINNER_PLACES[side];
  const v = step.get(base + Peer.v);
  switch (step.get(base) - first) {
    case WinnerAt.test: {
      const forwards = step.get(base + Peer.winners) === 0 && v !== me;
      step.take(2 << me)[base] = first + (forwards ? WinnerAt.forwardA : WinnerAt.skip);
      return;
    }
    case WinnerAt.forwardA:
      return send(step, me, 0, WINNER + v, first + WinnerAt.forwardB);
    case WinnerAt.forwardB:
      return send(step, me, 1, WINNER + v, first + WinnerAt.note);
    default: {
      const next = step.take(2 << me);
      next[base] = At.head;
      next[base + Peer.winners]++;
      next[base + Peer.best] = v;
    }
  }
}

function handleToken(step: Step, me: number, side: 0 | 1, resetsDead: boolean): void {
  const base = FIRST_PEER + me * PEER_WORDS;
  const first = TOKEN_PLACES[side];
  const get = (variable: number): number => step.get(base + variable);
  const go = (to: number): Words => {
    const next = step.take(2 << me);
    next[base] = to;
    return next;
  };
  const v = get(Peer.v);
  switch (step.get(base) - first) {
    case TokenAt.test: {
      const isSmaller = (v + get(Peer.shift)) % 3 < (get(Peer.cur) + get(Peer.shift)) % 3;
      const next = go(first + (isSmaller ? TokenAt.forward : TokenAt.skip));
      if (isSmaller) {
        next[base + Peer.cur] = v;
        next[base + Peer.echoes] = 0;
        next[base + Peer.parent] = neighbour(me, side);
      }
      return;
    }
    case TokenAt.forward:
      return send(step, me, side === 0 ? 1 : 0, v, first + TokenAt.compare);
    case TokenAt.skip:
      go(first + TokenAt.compare);
      return;
    case TokenAt.compare: {
      const isCurrent = v === get(Peer.cur);
      const next = go(first + (isCurrent ? TokenAt.echo : TokenAt.other));
      if (isCurrent) next[base + Peer.echoes]++;
      if (isCurrent && resetsDead) next[base + Peer.v] = 0;
      return;
    }
    case TokenAt.echo:
      go(first + afterEcho(get, me));
      return;
    case TokenAt.winA:
      return send(step, me, 0, WINNER + me, first + TokenAt.winB);
    case TokenAt.winB:
      return send(step, me, 1, WINNER + me, At.head);
    case TokenAt.backA:
      return send(step, me, 0, get(Peer.cur), At.head);
    case TokenAt.backB:
      return send(step, me, 1, get(Peer.cur), At.head);
    default:
      go(At.head);
  }
}

function afterEcho(get: (variable: number) => number, me: number): number {
  if (get(Peer.echoes) !== 2) return TokenAt.none;
  if (get(Peer.cur) === me) return TokenAt.winA;
  if (get(Peer.parent) === neighbour(me, 0)) return TokenAt.backA;
  return get(Peer.parent) === neighbour(me, 1) ? TokenAt.backB : TokenAt.none;
}

/** The peer on side A (0) or B (1): the lower number is A. */
const neighbour = (me: number, side: 0 | 1): number => (side < me ? side : side + 1);

const channel = (from: number, to: number): number => FIRST_CHANNEL + 2 * from + (to < from ? to : to - 1);

function send(step: Step, me: number, side: 0 | 1, message: number, place: number): void {
  const word = channel(me, neighbour(me, side));
  let length = 0;
  while (step.get(word) >>> (3 * length) !== 0) length++;
  if (length === CAPACITY) return;
  const next = step.take(2 << me);
  next[FIRST_PEER + me * PEER_WORDS] = place;
  next[word] |= (message + 1) << (3 * length);
}

function receive(step: Step, me: number, side: 0 | 1, isWinner: boolean, place: number): void {
  const word = channel(neighbour(me, side), me);
  const oldest = (step.get(word) & 7) - 1;
  if (oldest < 0 || oldest >= WINNER !== isWinner) return;
  const base = FIRST_PEER + me * PEER_WORDS;
  const next = step.take(2 << me);
  next[base] = place;
  next[word] >>>= 3;
  next[base + Peer.v] = oldest % WINNER;
}
