/**
 * The other tools that some tests compare us with. None is needed to use or to build Everypath: a test that
 * needs one which is not installed is skipped, and says so by name.
 */
import { spawnSync } from "node:child_process";
import { describe } from "vitest";

/** A peer by name, and the command that shows whether it is there. */
const probes = {
  spin: ["spin", "-V"],
  gcc: ["gcc", "--version"],
  tcc: ["tcc", "-v"],
  rumur: ["rumur", "--version"],
  chromium: ["chromium", "--version"],
  zsh: ["zsh", "--version"],
  fish: ["fish", "--version"],
  mandoc: ["mandoc", "-Tlocale"],
} as const;

export type Peer = keyof typeof probes;

export function hasPeer(peer: Peer): boolean {
  const known = presence.get(peer);
  if (known !== undefined) return known;
  const [command, argument] = probes[peer];
  const present = spawnSync(command, [argument], { stdio: "ignore" }).status === 0;
  presence.set(peer, present);
  return present;
}

/** `describe` where every peer is installed; otherwise one skipped suite whose name says what is missing. */
export function describeWithPeers(title: string, peers: readonly Peer[], suite: () => void): void {
  const missing = peers.filter((peer) => !hasPeer(peer));
  if (missing.length === 0) return void describe(title, suite);
  console.warn(`SKIPPED: ${title}: needs ${missing.join(" and ")}, not installed here`);
  describe.skip(`${title} (SKIPPED: needs ${missing.join(" and ")})`, suite);
}

const presence = new Map<Peer, boolean>();
