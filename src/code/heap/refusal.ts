/** Error message for a condition that changes a node. Also used inside realms. */
export const REFUSAL = "a property may look at the nodes, not change them";

export const isRefusal = (message: unknown): boolean => message === REFUSAL;
