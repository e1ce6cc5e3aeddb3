/**
 * A kludge that accelerates schedules: keeps a small object alive on most pages of dead realms.
 *
 * V8 allocates realms in old space. When all objects on a page are dead, V8 returns the page to the operating system;
 * the next realms receive new pages, and each new 4 KB is a page fault. A page with a live object is swept and reused.
 * Property names are also allocated in old space, so a name per recent realm lies among the realm's objects.
 */
const keptNames = 150;

const names = Object.create(null) as Record<string, true>;
let realms = 0;

/** Call for every new realm. Keeps roughly one name per realm created between two collections. */
export function keepPage(): void {
  names[`realm ${realms}`] = true;
  delete names[`realm ${realms - keptNames}`];
  realms++;
}
