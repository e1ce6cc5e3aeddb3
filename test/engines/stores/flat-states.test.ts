/** The flat store keeps every state. */
import { keepsEveryState } from "./every-state.js";

keepsEveryState("flat", { store: "flat", storeSizes: { chunkBits: 5 } });
keepsEveryState("flat, every bit needed", { store: "flat", storeSizes: { chunkBits: 5, homingBits: 10 } });
