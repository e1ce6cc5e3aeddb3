/**
 * A kludge that makes schedules faster: keeps a small thing alive in most of the memory that dead realms leave.
 *
 * A realm is made among what V8 takes for old. When all that is on a page of memory is dead, V8 gives the page back to the operating
 * system; the next realms get others, and each new 4 KB of them is a page fault. A page on which
 * something lives is swept and used again. Names of properties are made among what is old, too, so one for each of the last
 * realms lies where they lie.
 */
const keptNames = 150;

const names = Object.create(null) as Record<string, true>;
let realms = 0;

/** To be called for every realm that is made. About as many names are kept as realms are made between two collections. */
export function keepPage(): void {
  names[`realm ${realms}`] = true;
  delete names[`realm ${realms - keptNames}`];
  realms++;
}
