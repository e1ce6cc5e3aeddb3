/** Options for random models: most have deadlocks, which would end the search early. */
export const optionsFor = (seed: number): string => (seed % 4 === 0 ? "" : "--deadlock off");
