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

export const murphiHighlighting: Highlighting = {
  keywords: words(
    "alias assert assume begin by case clear const cover do else elsif end endalias endexists endforall endfor endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile error exists for forall function if in invariant isundefined liveness procedure put return rule ruleset startstate switch then to type undefine var while",
  ),
  types: words("array boolean enum of record scalarset"),
  constants: words("true false undefined"),
  ignoresCase: true,
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["--"],
  quotes: ['"'],
};

export const codeHighlighting: Highlighting = {
  keywords: words(
    "abstract as async await break case catch class const continue default delete do else enum export extends finally for from function get if implements import in instanceof interface let new of private protected public readonly return satisfies set static super switch this throw try type typeof var while yield",
  ),
  types: words(
    "any bigint boolean never number object string symbol unknown void Array Map Promise Record Set",
  ),
  constants: words("false null true undefined"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
  quotes: ['"', "'", "`"],
};

function words(text: string): readonly string[] {
  return text.split(" ");
}
