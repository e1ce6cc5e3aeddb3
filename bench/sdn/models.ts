/** The published benchmarks as `.sdn` texts, buggy and repaired, generated for the number of switches or clients. */

const lines = (n: number, make: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => make(i + 1)).join("\n");

export const ssh = (hasBarrier: boolean, sends = "c1, c2", prot = "any"): string => `
options { barriers = published; }
network ssh { switch s1, s2 ports 1..2; client c1, c2 ports 1..1;
  link c1:1 -- s1:1; link s1:2 -- s2:1; link s2:2 -- c2:1; }
packet { prot: enum {SSH, OTHER}; src: client; }
behaviour client ${sends} { send {prot: ${prot}, src: self}; }
controller {
  on packetIn(p, sw, pt) {
    for s in [s1, s2] {
      install(s, rule(5, {prot: SSH}, []));
      ${hasBarrier ? "barrier(s);" : ""}
      install(s, rule(1, {port: 1}, [2]));
      install(s, rule(1, {port: 2}, [1]));
    }
    if (p.prot == SSH) drop(); else forward([if (pt == 1) 2 else 1]);
  }
}
property noSSH: always forall p: packets at clients . p.src != p.loc.node -> p.prot != SSH;
`;

/** The learning switch of all ML models. */
const learning = `
packet { src: client; dest: client; visited; }
behaviour kind host { send {src: self, dest: contacts(self)}; }
controller {
  state { table: map [switch, client] of port = none; }
  on packetIn(p, sw, pt) {
    let out = table[sw, p.dest];
    table[sw, p.src] = pt;
    if (out == none) flood();
    else if (out != pt) {
      install(sw, rule(1, {src: p.src, dest: p.dest, port: pt}, [out]));
      forward([out]);
    }
  }
}
property noLoop: noForwardingLoop;
`;

export const mlCyclic = `
network cyclic { switch s1, s2, s3 ports 1..3;
  client c1 kind host contacts c2, c3; client c2 kind host contacts c3; client c3 kind host contacts c1;
  link c1:1 -- s1:1; link s1:2 -- s2:1; link s1:3 -- s3:1;
  link c2:1 -- s2:2; link s2:3 -- s3:2; link c3:1 -- s3:3; }
${learning}`;

export const mlTree = (contacts: readonly [string, string, string] = ["c2", "c3", "c1"]): string => `
network tree { switch s1, s2, s3 ports 1..3;
  client c1 kind host contacts ${contacts[0]}; client c2 kind host contacts ${contacts[1]}; client c3 kind host contacts ${contacts[2]};
  link c1:1 -- s1:1; link s1:2 -- s2:1; link s1:3 -- s3:1;
  link c2:1 -- s2:2; link c3:1 -- s3:3; }
${learning}`;

export const mlChain = (n: number): string => `
network chain { switch ${names(n)} ports 1..2; client c1 kind host contacts c2; client c2 kind host contacts c1;
  link c1:1 -- s1:1; link c2:1 -- s${n}:2;
${lines(n - 1, (i) => `  link s${i}:2 -- s${i + 1}:1;`)} }
${learning}`;

export const ml6x3 = `
network ml63 { switch ${names(6)} ports 1..3;
  client c1 kind host contacts c2; client c2 kind host contacts c1; client c3 kind host contacts c1;
  link c1:1 -- s1:1; link c2:1 -- s6:2; link c3:1 -- s3:3;
${lines(5, (i) => `  link s${i}:2 -- s${i + 1}:1;`)} }
${learning}`;

function names(n: number, letter = "s"): string {
  return Array.from({ length: n }, (_, i) => `${letter}${i + 1}`).join(", ");
}

/** One firewall or several that share their rules; the policy lets only A:1 → B:2 begin. */
export function firewall(how: {
  readonly switches: number;
  readonly priorities?: "equal";
  readonly barrier?: "requester" | "all";
  readonly traffic?: "some";
  readonly moment?: "at execution";
}): string {
  const { switches, priorities, barrier = "all", traffic, moment = "" } = how;
  const links = lines(switches, (i) => `  link a:1 -- f${i}:1; link b:1 -- f${i}:2;`);
  const sends = traffic
    ? `behaviour client a { send {src: a, srcPort: 1, dest: b, destPort: 2}; }
behaviour client b { send {src: b, srcPort: 2, dest: a, destPort: 1}; send {src: b, srcPort: 1, dest: a, destPort: 1}; }`
    : "behaviour client a, b { send {src: self, srcPort: any, dest: contacts(self), destPort: any}; }";
  return `
options { barriers = published; }
network firewall { switch ${names(switches, "f")} ports 1..2; client a, b ports 1..1;
${links} }
packet { src: client; srcPort: 1..2; dest: client; destPort: 1..2; }
${sends}
controller {
  state { flows: map [client, 1..2, client, 1..2] of bool = false; }
  on packetIn(p, sw, pt) {
    let allowed = p.src == a && p.srcPort == 1 && p.dest == b && p.destPort == 2;
    if (allowed) {
      flows[p.src, p.srcPort, p.dest, p.destPort] = true;
      flows[p.dest, p.destPort, p.src, p.srcPort] = true;
      for s in switches {
        install(s, rule(5, {src: p.src, srcPort: p.srcPort, dest: p.dest, destPort: p.destPort}, [portOf(p.dest, s)]));
        install(s, rule(5, {src: p.dest, srcPort: p.destPort, dest: p.src, destPort: p.srcPort}, [portOf(p.src, s)]));
        ${barrier === "all" ? "barrier(s);" : "if (s == sw) barrier(s);"}
      }
      forward([portOf(p.dest, sw)]);
    } else {
      ${switches === 1 ? "let s = sw;" : "for s in switches"} { install(s, rule(${priorities === "equal" ? 5 : 1}, {src: p.src, srcPort: p.srcPort, dest: p.dest, destPort: p.destPort}, [])); }
      drop();
    }
  }
}
property noWrongDrop: never dropped(p) ${moment} when flows[p.src, p.srcPort, p.dest, p.destPort];
property unambiguous: noAmbiguousMatch;
`.replace("let s = sw; {", "for s in [sw] {");
}

/** Steering through middleboxes: http by firewall, IDS and proxy, the rest by firewall and IDS. */
export function simple(clients: number): string {
  const extra = clients - 6;
  const more = Array.from({ length: extra }, (_, i) => `c${i + 3}`);
  const sources = ["c1", ...more];
  const links = more.map((c, i) => `  link ${c}:1 -- s2:${5 + i}; link ${c}:1 -- s3:${5 + i};`).join("\n");
  const rule = (s: string, from: string, to: number): string =>
    `install(${s}, rule(5, {prot: p.prot, ${from}}, [${to}]));`;
  const at = (port: number, state?: string): string => `port: ${port}${state ? `, state: ${state}` : ""}`;
  const both = [
    rule("s2", at(1, "Nil"), 2),
    rule("s2", at(2), 4),
    rule("s3", at(1, "Nil"), 3),
    rule("s3", at(3), 2),
    rule("s4", at(1), 2),
    rule("s4", at(2), 1),
    rule("s5", at(1, "FW"), 4),
    rule("s5", at(2, "FW"), 4),
    rule("s6", at(1), 2),
  ].join("\n      ");
  const http = [
    rule("s2", at(4, "IDS"), 3),
    rule("s2", at(3), 4),
    rule("s5", at(4), 1),
    rule("s5", at(1, "Proxy"), 3),
  ].join("\n        ");
  const entries = more
    .map((_, i) => [rule("s2", at(5 + i, "Nil"), 2), rule("s3", at(5 + i, "Nil"), 3)])
    .flat()
    .join("\n      ");
  return `
options { barriers = published; }
network simple { switch s2, s3 ports 1..${4 + Math.max(0, extra)}; switch s4, s6 ports 1..2; switch s5 ports 1..4;
  client ${[...sources, "c2"].join(", ")}; client fw1, fw2 kind firewall; client ids; client proxy;
  link c1:1 -- s2:1; link fw1:1 -- s2:2; link proxy:1 -- s2:3; link s2:4 -- s4:1;
  link c1:1 -- s3:1; link s3:2 -- s5:2; link fw2:1 -- s3:3;
  link s4:2 -- s5:1; link s5:3 -- s6:1; link ids:1 -- s5:4; link s6:2 -- c2:1;
${links} }
packet { src: client; prot: enum {http, rest}; state: enum {Nil, FW, Proxy, IDS}; }
behaviour client ${sources.join(", ")} { send {src: self, prot: any, state: Nil}; }
behaviour kind firewall { on receive(p) { emit {src: p.src, prot: p.prot, state: FW}; } }
behaviour client ids { on receive(p) { emit {src: p.src, prot: p.prot, state: IDS}; } }
behaviour client proxy { on receive(p) { emit {src: p.src, prot: p.prot, state: Proxy}; } }
controller {
  on packetIn(p, sw, pt) {
    if (sw == s2 || sw == s3) {
      ${both}
      ${entries}
      if (p.prot == http) {
        ${http}
      } else {
        ${rule("s5", at(4, "IDS"), 3)}
      }
      for s in switches { barrier(s); }
      forward([pt]);
    } else error("a packet-in from inside the network");
  }
}
property chain: always forall p: packets at clients . p.loc.node == c2 -> (if (p.prot == http) p.state == Proxy else p.state == IDS);
`;
}

/**
 * Dynamic access control: clients register at a portal, are scanned, and may talk to each other until they are quarantined.
 * With `slips` as published: out-ports of the requesting switch are used everywhere, replies claim to come through the
 * first client's port, and only the first two clients are watched and may be talked to.
 */
export function resonance(clients: number, slips = true): string {
  const ids = Array.from({ length: clients }, (_, i) => `c${i + 1}`);
  const home = (i: number): string => (i === 0 ? "s1" : "s3");
  const reply = (c: string, i: number): string => `behaviour client ${c} {
  send {src: ${c}, srcPort: 1, dest: ${i === 0 ? "c2" : "c1"}, destPort: 1, status: Init};
  send {src: ${c}, srcPort: 2, dest: ${i === 0 ? "c2" : "c1"}, destPort: 2, status: Init};
  on receive(p) {
    if (p.status == Init) emit {src: ${c}, srcPort: p.destPort, dest: p.src, destPort: p.srcPort, status: Reply}${slips ? ` at ${home(i)}:1` : ""};
  }
}`;
  const others = slips ? "c1, c2" : ids.join(", ");
  const watched = slips ? "(p.src == c1 || p.src == c2)" : "true";
  return `
options { barriers = published; }
network resonance { switch s1 ports 1..3; switch s2 ports 1..4; switch s3 ports 1..${1 + clients}; switch s4 ports 1..2;
  client ${ids.join(", ")}; client portal, scanner;
  link c1:1 -- s1:1; link s1:2 -- s2:1; link s1:3 -- s4:1; link portal:1 -- s2:2; link scanner:1 -- s2:3; link s2:4 -- s3:2; link s4:2 -- s3:1;
${ids
  .slice(1)
  .map((c, i) => `  link ${c}:1 -- s3:${3 + i};`)
  .join("\n")} }
packet { src: client; srcPort: 1..2; dest: client; destPort: 1..2; status: enum {Init, Reply}; }
${ids.map(reply).join("\n")}
controller {
  state { access: map [client] of enum {Unknown, Registration, Authenticated, Operational, Quarantined} = Unknown; }
  function route(sw: switch, c: client): port {
    if (c == c1) return 1;
    if (c == portal) return 2;
    if (c == scanner) return if (sw == s2) 3 else 2;
    if (sw == s1) return 3;
    if (sw == s2) return 4;
    if (sw == s4) return 2;
    return portOf(c, s3);
  }
  function authenticate(c: client) {
    if (access[c] == Registration) {
      access[c] = Authenticated;
      for s in switches {
        remove(s, rule(5, {src: c, destPort: 1}, [route(s, portal)]));
        install(s, rule(5, {src: c, dest: scanner}, [route(s, scanner)]));
        install(s, rule(5, {src: scanner, dest: c}, [route(s, c)]));
        barrier(s);
      }
      emit {src: scanner, srcPort: 1, dest: c, destPort: 1, status: Init} at s2:3;
    }
  }
  function reject(c: client) {
    if (access[c] == Registration) {
      access[c] = Quarantined;
      for s in switches {
        remove(s, rule(5, {src: c, destPort: 1}, [route(s, portal)]));
        barrier(s);
      }
    }
  }
  function admit(c: client) {
    if (access[c] == Authenticated) {
      access[c] = Operational;
      for s in switches {
        remove(s, rule(5, {src: c, dest: scanner}, [route(s, scanner)]));
        for d in [${others}] { if (d != c) install(s, rule(5, {src: c, dest: d}, [route(s, d)])); }
        barrier(s);
      }
    }
  }
  function quarantine(c: client) {
    if (access[c] == Authenticated) {
      access[c] = Quarantined;
      for s in switches {
        remove(s, rule(5, {src: c, dest: scanner}, [route(s, scanner)]));
        barrier(s);
      }
    }
  }
  on packetIn(p, sw, pt) {
    if (access[p.src] != Unknown) error("a packet-in from a client that is known");
    access[p.src] = Registration;
    for s in switches {
      install(s, rule(5, {src: p.src, destPort: 1}, [route(${slips ? "sw" : "s"}, portal)]));
      install(s, rule(5, {src: portal, dest: p.src, destPort: 1}, [route(${slips ? "sw" : "s"}, p.src)]));
      install(s, rule(1, {src: p.src}, []));
      barrier(s);
    }
    forward([route(sw, portal)]);
  }
}
behaviour client portal {
  on receive(p) {
    if (p.status == Reply) {
      choose { [] { emit {src: portal, srcPort: 1, dest: p.src, destPort: 1, status: Init}; } [] { authenticate(p.src); } [] { reject(p.src); } }
    } else emit {src: portal, srcPort: 1, dest: p.src, destPort: 1, status: Init};
  }
}
behaviour client scanner {
  on receive(p) when p.status == Reply { choose { [] { admit(p.src); } [] { quarantine(p.src); } } }
}
event monitor(c: client) when access[c] == Operational {
  access[c] = Quarantined;
  for s in switches {
    for d in [${others}] { if (d != c) remove(s, rule(5, {src: c, dest: d}, [route(s, d)])); }
    barrier(s);
  }
}
property quarantined: never forwarded(p) when access[p.src] == Quarantined && ${watched};
`;
}

/** A stale request (κ): the answer to p1 makes p2 known, so that a request about p2 ought to be impossible. */
export const stale = (kappa: number): string => `
options { barriers = published; }
network stale { switch s1, s2 ports 1..2; client c1, c2;
  link c1:1 -- s1:1; link c2:1 -- s2:1; }
packet { kind: enum {P1, P2}; }
behaviour client c1 { send {kind: P1}; }
behaviour client c2 { send {kind: P2}; }
controller {
  kappa ${kappa};
  state { known: bool = false; }
  on packetIn(p, sw, pt) {
    if (p.kind == P1) {
      install(s2, rule(1, {kind: P2}, []));
      barrier(s2);
      known = true;
    } else if (known) error("a request about what is known");
  }
}
property fresh: noUnhandledPacketIn;
`;

/** An addition and a deletion of the same rule before one barrier. */
export const clash = `
options { barriers = published; }
network clash { switch s1 ports 1..2; client c1, c2; link c1:1 -- s1:1; link c2:1 -- s1:2; }
packet { kind: enum {P}; }
behaviour client c1 { send {kind: P}; }
controller {
  state { done: bool = false; }
  on packetIn(p, sw, pt) {
    if (!done) {
      install(sw, rule(1, {kind: P}, [2]));
      remove(sw, rule(1, {kind: P}, [2]));
      barrier(sw);
      done = true;
    }
  }
}
property neverThere: always !done || !installed(s1, rule(1, {kind: P}, [2]));
property alwaysThere: always !done || installed(s1, rule(1, {kind: P}, [2]));
`;
