/**
 * Clients and servers over two shared channels, as a hand-written system: the example of Couvreur, Duret-Lutz and Poitrenaud
 * 2005, section 6. The clients are agents 0 to `clients - 1`, the servers follow; steps come by decreasing agent.
 *
 *   client k: idle -> ask -> sending -(req!k)-> waiting -(rep?k)-> idle
 *   server:   ready -(req?w)-> busy -> answer -> replying -(rep!w)-> ready
 *
 * State: a word for each client (where it is), two for each server (where it is, `w`), and for each channel its length
 * and contents.
 */
import type { Successors, System, Words } from "../../src/model/index.js";

export function clientServer(clients: number, servers: number): System {
  const requests = clients + 2 * servers;
  const replies = requests + 1 + clients;
  const width = replies + 1 + servers;

  function step(state: Words, at: number, out: Successors, agent: number): Words {
    if (out.count === out.capacity) out.grow();
    const base = out.count * width;
    for (let k = 0; k < width; k++) out.words[base + k] = state[at + k];
    out.labels[out.count++] = 1 << agent;
    return out.words.subarray(base, base + width);
  }

  function moveServer(state: Words, at: number, out: Successors, server: number): void {
    const own = clients + 2 * server;
    const where = state[at + own];
    if (where === Server.ready && state[at + requests] === 0) return;
    if (where === Server.replying && state[at + replies] === servers) return;
    const next = step(state, at, out, clients + server);
    next[own] = (where + 1) % 4;
    if (where === Server.ready) next[own + 1] = receive(next, requests);
    if (where === Server.replying) send(next, replies, next[own + 1]);
  }

  function moveClient(state: Words, at: number, out: Successors, client: number): void {
    const where = state[at + client];
    if (where === Client.sending && state[at + requests] === clients) return;
    const isAnswered = state[at + replies] > 0 && state[at + replies + 1] === client;
    if (where === Client.waiting && !isAnswered) return;
    const next = step(state, at, out, client);
    next[client] = (where + 1) % 4;
    if (where === Client.sending) send(next, requests, client);
    if (where === Client.waiting) receive(next, replies);
  }

  return {
    width,
    compareFrom: 0,
    labels: "agents",
    initial(out) {
      out.words.fill(0, 0, width);
      out.count = 1;
    },
    successors(state, at, out) {
      for (let server = servers - 1; server >= 0; server--) moveServer(state, at, out, server);
      for (let client = clients - 1; client >= 0; client--) moveClient(state, at, out, client);
    },
    status: () => 0,
  };
}

/** Bit 0: client 0 is waiting; bit 1: client 0 is idle. */
export const clientServerValuation = (state: Words): number =>
  (state[0] === Client.waiting ? 1 : 0) | (state[0] === Client.idle ? 2 : 0);

const Client = { idle: 0, ask: 1, sending: 2, waiting: 3 } as const;
const Server = { ready: 0, busy: 1, answer: 2, replying: 3 } as const;

function send(state: Words, channel: number, value: number): void {
  state[channel + ++state[channel]] = value;
}

/** Unused places stay zero, so that equal contents are equal states. */
function receive(state: Words, channel: number): number {
  const value = state[channel + 1];
  const length = state[channel]--;
  for (let i = 1; i < length; i++) state[channel + i] = state[channel + i + 1];
  state[channel + length] = 0;
  return value;
}
