/** How texts of a language are coloured, in editors and on pages: plain data, so that any editor can use it. */

/** What an editor has to know to colour a text: plain data. */
export interface Highlighting {
  /** Words of the language. */
  readonly keywords: readonly string[];
  /** Words that name types. */
  readonly types?: readonly string[];
  /** Words that are values: `true`. */
  readonly constants?: readonly string[];
  /** Upper and lower case are the same. */
  readonly ignoresCase?: boolean;
  /** What begins a comment that ends with its line. */
  readonly lineComments?: readonly string[];
  readonly blockComments?: readonly { readonly open: string; readonly close: string }[];
  /** What strings begin and end with; inside, a backslash keeps the next character. */
  readonly quotes?: readonly string[];
  /** What begins a line for a preprocessor. */
  readonly directive?: string;
}

export const promelaHighlighting: Highlighting = {
  keywords: words(
    "active assert atomic break c_code c_decl c_expr c_state c_track d_step do D_proctype else empty enabled eval fi for full get_priority goto hidden if in init inline len local ltl nempty never nfull notrace np_ od of pc_value printf printm priority proctype provided return run select set_priority show skip timeout trace typedef unless xr xs always eventually until weakuntil stronguntil release implies equivalent",
  ),
  types: words("bit bool byte chan int mtype pid short unsigned"),
  constants: words("true false _pid _last _nr_pr"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
  quotes: ['"', "'"],
  directive: "#",
};

function words(text: string): readonly string[] {
  return text.split(" ");
}
