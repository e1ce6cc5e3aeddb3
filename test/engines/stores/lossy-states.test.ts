/** Lossy stores with enough room to lose nothing here. */
import { keepsEveryState } from "./every-state.js";

const hashed = { hash: "jenkins", seed: 1 } as const;

keepsEveryState("compact", { store: { kind: "compact", cells: 4001, width: 64, ...hashed } });
keepsEveryState("compact, with a rest", { store: { kind: "compact", cells: 4001, width: 40, ...hashed } });
keepsEveryState("bitstate", { store: { kind: "bitstate", bits: 1 << 22, functions: 3, ...hashed } });
