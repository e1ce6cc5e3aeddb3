/** Thrown for a script with something that cannot be told of; the message says what. */
export class CannotInstrument extends Error {}
