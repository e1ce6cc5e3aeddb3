/** Names of generated or loaded texts. */

/** File name without folder and extension. */
export const stemOf = (file: string): string => file.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "");

/** Spells each name, with a number if the spelling is reserved or already taken. */
export function distinctNames(
  names: readonly string[],
  reserved: Iterable<string>,
  spell: (name: string) => string,
): string[] {
  const used = new Set(reserved);
  return names.map((name) => {
    const plain = spell(name);
    let free = plain;
    for (let n = 2; used.has(free); n++) free = `${plain}_${n}`;
    used.add(free);
    return free;
  });
}
