/** `everySchedule` and `replay` inside the realm: the body that counts is the one registered here. */
import { register, type Body } from "./registry.js";

export const everySchedule = (name: string, body: Body): void => register(name, body);

/** Options are the host's matter. */
export const replay = (): object => ({});

export { History, NotLinearizable, linearize } from "../../model/linearizability.js";
