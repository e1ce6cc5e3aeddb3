/** Imported after XState and before the user's modules. Runs inside realms. */
import { endLoading } from "./caches.js";

endLoading();
