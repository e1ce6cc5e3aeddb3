/** Escapes text for markup: model text may contain anything, including `</script>`. */

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For text and quoted attributes of HTML and XML; characters that XML forbids become a middle dot. */
export const escapeMarkup = (text: string): string =>
  text.replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, "\u00b7").replace(/[&<>"']/g, (c) => entities[c] ?? c);

/** JSON that is safe inside a `<script>` element. */
export const embedJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
