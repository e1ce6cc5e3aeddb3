/** What a condition is told that tries to change a node. Also used inside realms. */
export const REFUSAL = "a property may look at the nodes, not change them";

export const isRefusal = (message: unknown): boolean => message === REFUSAL;
