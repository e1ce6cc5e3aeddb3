/** A script contains a construct whose accesses cannot be reported; the message names it. */
export class CannotInstrument extends Error {}
