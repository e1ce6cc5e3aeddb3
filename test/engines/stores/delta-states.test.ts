/** The delta store keeps every state, with all settings. */
import { keepsEveryState } from "./every-state.js";

keepsEveryState("every state whole", { store: { kind: "delta", distance: 1 } });
keepsEveryState("every third level", { store: { kind: "delta", distance: 3 } });
keepsEveryState("as published", { store: { kind: "delta", distance: 20, forgets: true } });
keepsEveryState("forwards", { store: { kind: "delta", distance: 4, onlyForward: true } });
keepsEveryState("unfiltered", { store: { kind: "delta", distance: 4, ignoresFilter: true } });
keepsEveryState("by successors", { store: { kind: "delta", distance: 4, links: "successors" } });
