/** How a random model is run: in most of them some state is a deadlock, which would end the search early. */
export const optionsFor = (seed: number): string => (seed % 4 === 0 ? "" : "--deadlock off");
