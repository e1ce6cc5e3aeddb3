/** Syntax colouring as plain data, for any editor. */

/** Lexical classes of a language. */
export interface Highlighting {
  readonly keywords: readonly string[];
  /** Words that name types. */
  readonly types?: readonly string[];
  /** Words that are values: `true`. */
  readonly constants?: readonly string[];
  /** Keywords are not case-sensitive. */
  readonly ignoresCase?: boolean;
  /** Prefixes of comments that extend to the end of the line. */
  readonly lineComments?: readonly string[];
  readonly blockComments?: readonly { readonly open: string; readonly close: string }[];
  /** Delimiters of strings; a backslash escapes the next character. */
  readonly quotes?: readonly string[];
  /** Prefix of preprocessor lines. */
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
    "alias assert assume begin by case clear const cover do else elsif end endalias endexists endforall endfor endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile error exists for forall function if in invariant isundefined liveness ltl procedure put return rule ruleset startstate switch then to type undefine var while",
  ),
  types: words("array boolean enum of record scalarset"),
  constants: words("true false undefined"),
  ignoresCase: true,
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["--"],
  quotes: ['"'],
};

export const chiHighlighting: Highlighting = {
  keywords: words("and chan check const ctl encap invariant ltl not or proc system type var"),
  types: words("bool enum int list nat"),
  constants: words("delta eps false skip true"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
  quotes: ['"'],
};

export const guardedHighlighting: Highlighting = {
  keywords: words(
    "abstract const error exists explicit forall in init nondet param predicates process reach safety skip var",
  ),
  types: words("bool int pc"),
  constants: words("false true"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
};

export const ndlogHighlighting: Highlighting = {
  keywords: words(
    "annotation base constraint cut delete derivable exists forall lemma materialize property type",
  ),
  constants: words("false infinity true"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
  quotes: ['"'],
};

export const programHighlighting: Highlighting = {
  keywords: words(
    "break case const continue default do else enum extern for goto if inline register restrict return sizeof static struct switch typedef union volatile while",
  ),
  types: words("char double float int long short signed size_t unsigned void _Bool bool"),
  constants: words("NULL false true"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
  quotes: ['"', "'"],
};

export const ltsHighlighting: Highlighting = {
  keywords: words("des part"),
  constants: words("i tau"),
  lineComments: ["#"],
  quotes: ['"'],
};

export const processHighlighting: Highlighting = {
  keywords: words(
    "assert const deterministic else exists fluent forall if initially menu minimal progress property range set then when",
  ),
  constants: words("END ERROR STOP"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
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

export const messagesHighlighting: Highlighting = {
  keywords: words(
    "accept assume automaton break choose classes contains domain else halt if in init loop notin op property recv same send skip spawn subset when while",
  ),
  types: words("channel message principal provenance var"),
  constants: words("any eps none true"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
};

/** Scripts beside the manifest are coloured alike. */
export const manifestHighlighting: Highlighting = codeHighlighting;

export const netHighlighting: Highlighting = {
  keywords: words("vars rules init target invariants in"),
  constants: words("true"),
  lineComments: ["#", "//"],
};

export const composeHighlighting: Highlighting = {
  keywords: words("services depends_on condition healthcheck restart links networks volumes configs secrets"),
  types: words("service_started service_healthy service_completed_successfully"),
  constants: words("true false null yes no always"),
  lineComments: ["#"],
  quotes: ['"', "'"],
};

export const componentsHighlighting: Highlighting = {
  keywords: words(
    "definition component interface content behaviour binding deployment reconfiguration op types",
  ),
  types: words("name role signature class file format client server start errors subcontrol states by in"),
  blockComments: [{ open: "<!--", close: "-->" }],
  quotes: ['"', "'"],
};

export const markupHighlighting: Highlighting = {
  keywords: words("pnml net page place transition arc referencePlace referenceTransition"),
  types: words(
    "name text initialMarking inscription graphics position offset dimension toolspecific finalmarkings",
  ),
  constants: words("id type source target ref x y xmlns"),
  blockComments: [{ open: "<!--", close: "-->" }],
  quotes: ['"', "'"],
};

export const vectorsHighlighting: Highlighting = {
  keywords: words("bvas axiom unary binary target"),
  types: words("dim places"),
  lineComments: ["#", "//"],
};

export const booleanHighlighting: Highlighting = {
  keywords: words(
    "assert assume atomic atomic_begin atomic_end begin constrain dead else end enforce goto if return schoose skip while",
  ),
  types: words("bool decl thread void"),
  constants: words("true false ERROR"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
};

export const tasksHighlighting: Highlighting = {
  keywords: words("task post in ewait await on choose loop break skip return error"),
  constants: words("main"),
  lineComments: ["#", "//"],
};

export const networkHighlighting: Highlighting = {
  keywords: words(
    "always at barrier barrierReply behaviour choose const contacts controller drop else emit error event execution exists fails flood for forall forward function if in install kappa let link ltl network never of on options packetIn packets portDown property receive remove return rule send state timeout to topology visited when",
  ),
  types: words("any bool client enum kind map packet port ports set switch type"),
  constants: words("true false none self"),
  blockComments: [{ open: "/*", close: "*/" }],
  lineComments: ["//"],
  quotes: ['"'],
};

function words(text: string): readonly string[] {
  return text.split(" ");
}
