/**
 * Patterns for the habits of prose that CONTRIBUTING asks to avoid, and the search for them in one text.
 *
 * In: text in which code has been blanked (`extract.ts`). Out: hits with offsets into that text.
 * Patterns run over one sentence at a time, so `^` means the start of a sentence.
 */

export const habits = [
  "clause as noun",
  "passive say",
  "code as person",
  "so many",
  "trailing too",
  "odd verb",
] as const;
export type Habit = (typeof habits)[number];

export interface Hit {
  readonly habit: Habit;
  /** Offset of the match in the text that was searched. */
  readonly at: number;
  readonly text: string;
}

/** A run of masked code: stands for a noun, and counts as no word. */
export const masked = "\u25ae";

const noun = String.raw`(?:[\w'-]+|${masked})`;
const adverb = "(?:(?:not|never|also|only|then|already|first|always|still) )?";

/** Sentences that ask are left alone by patterns of the first habit. */
const patterns: readonly (readonly [Habit, RegExp])[] = [
  // `What is put off …`, `… of what a state holds`. `What to do`, `what you want` and `determine what` are common English.
  [
    "clause as noun",
    /(?<!\b(?:see|know|knowing|determine|understand|indicate|depending on|regardless of|no matter) )\bwhat(?:ever)?\b(?! (?:to|if|about|kinds? of|you|we)\b|'s)/giu,
  ],
  ["clause as noun", /\b(?:whoever|whichever(?! (?:is|comes))|whomever|that which|how-manieth)\b/giu],
  // `How many states there are.`, `Which of two runs first is …`, `Where a message goes is …`, `That it holds is …`
  ["clause as noun", /^(?:Which|How)\b(?! (?:to|it works|this works|we|you)\b)[^?,]*[.;:]?$/gu],
  [
    "clause as noun",
    /^(?:Where|Why|How|Which) [^,?]*\b(?:is|are|was|were|does|has|makes?|decides?|follows?|counts?|matters?|says|tells|comes?|stays?)(?: (?:not|no|never|only|also|always))? (?:\w+ed|said|told|known|kept|held|left|shown|given|found|written|chosen|in|up|the|a|an|its|their|on|by)\b/gu,
  ],
  ["clause as noun", /^That (?:a|an|the|it|they|no|all|every|each|nothing|one|two|both)\b/gu],
  [
    "clause as noun",
    /\b(?:says?|said|tells?|told|knows?|shows?|shown|asks?|asked) (?:where|how|whether|which|why)\b(?! to\b)/giu,
  ],
  ["clause as noun", /\b(?:of|from|by|about|with|than|to) (?:where|how|which of)\b(?! to\b)/giu],
  [
    "clause as noun",
    /\bthat of\b(?! course)|\bthose (?:of|in|with|by|from|at|on|that|which|who|whose|where)\b/giu,
  ],
  [
    "clause as noun",
    /\b(?:all|ones?|everything|nothing) (?:that|which|whose) (?:is|are|was|were|it|they|an?|the|its|can|may|has|have|do|\w+s)\b/giu,
  ],
  // `is told so`, `are asked for`, `which says so`
  [
    "passive say",
    new RegExp(
      String.raw`\b(?:is|are|was|were|be|been|being|gets?) ${adverb}(?:told|said|asked|spoken|hinted|answered)\b`,
      "giu",
    ),
  ],
  ["passive say", /\b(?:says?|said|saying|tells?|told|telling) so\b/giu],
  ["code as person", /\b(?:nobody|somebody|everybody|anybody|no-?one(?! of)|no one(?! of)|someone)\b/giu],
  [
    "code as person",
    /(?<!\b(?:user|reader|author|who) )\b(?:knows|wants|hears|learns|thinks|believes|guesses|wishes|minds|likes to)\b/giu,
  ],
  [
    "code as person",
    /(?<!\b(?:users|readers|authors) )(?<=\b\w+s )(?:know|want|hear|learn|think|believe)\b/giu,
  ],
  // `so many`, `as often as …`; `as much as possible` and `as many as needed` are common English.
  ["so many", /\bso (?:many|few|much|large|often|small|little|deep)\b/giu],
  ["so many", /\bas (?:many|few|often|much|deep)\b(?! as (?:possible|needed|you))/giu],
  ["so many", /\bsuch an?\b/giu],
  ["so many", /\bof (?:its|their|his|her|our|my) own\b/giu],
  [
    "so many",
    /\bas (?:it|they) (?:(?:is|are|was|were)(?=\s*(?:[.,;:)—]|$| (?:in|and|or|without|by|for|when|where|with|at)\b))|stands?|goes|comes?|does|do)\b/giu,
  ],
  [
    "so many",
    new RegExp(
      String.raw`(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|less|need|way|one|other|different)${noun}`,
      "giu",
    ),
  ],
  [
    "so many",
    /\b(?:gone|going|goes|go) on with\b|\bleft away\b|\bleave \S+ away\b|\bput off\b|\bmost rarely\b/giu,
  ],
  ["so many", /^Of (?:several|two|three|these|those|them|all|many|each|every|the|whatever)\b/gu],
  ["trailing too", /\btoo(?=\s*(?:[.,;:)!?]|$))/giu],
  [
    "trailing too",
    /(?<=[,;:] |\b(?:and|or) )also (?:where|when|if|with|without|in|for|of|by|on|at|from|to|as|after|before|while)\b/giu,
  ],
  ["trailing too", /\balso (?:where|when|if)\b/giu],
  // Plain: is at, is found, continues, distinguishes, restarts, again, omits, terminates.
  ["odd verb", /\b(?:stands?|stood)\b(?! (?:for|out)\b)/giu],
  ["odd verb", /\bmet (?:first|last|again)\b|\b(?:states?|errors?|labels?) (?:is|are|was|were) met\b/giu],
  ["odd verb", /\b(?:go|goes|going|gone) on\b(?! (?:after errors|to)\b)/giu],
  ["odd verb", /\b(?:tells?|told|telling)(?: \S+){0,2} apart\b/giu],
  ["odd verb", /\b(?:begins?|began|made) again\b|\banew\b|\bcomes? to an end\b/giu],
  ["odd verb", /\b(?:left|leaves?|leaving) out\b|\bunder way\b|\bat hand\b|\bof ours\b/giu],
  // `bytes a state`: per state.
  [
    "odd verb",
    /\b(?:bytes?|bits?|words?|ms|microseconds) an? (?:state|thread|search|step|cell|level|process)\b/giu,
  ],
];

/** Finds every habit in `text`, at most one hit a word. */
export function hitsIn(text: string): Hit[] {
  const hits: Hit[] = [];
  for (const { at, sentence } of sentencesOf(text))
    for (const [habit, pattern] of patterns)
      for (const match of isQuestion(sentence) && habit === "clause as noun"
        ? []
        : sentence.matchAll(pattern))
        hits.push({ habit, at: at + match.index, text: match[0].slice(0, 60) });
  return withoutOverlaps(hits);
}

/** Counts words; masked code does not count. */
export const wordsIn = (text: string): number => text.match(/[A-Za-z][A-Za-z'’-]*/g)?.length ?? 0;

/** Splits at the ends of sentences, at semicolons and between paragraphs. */
function* sentencesOf(text: string): Generator<{ at: number; sentence: string }> {
  for (const match of text.matchAll(/(?:[^.!?;\n]|[.!?;](?=\S))+[.!?;]*/g)) {
    const indent = match[0].length - match[0].trimStart().length;
    yield { at: match.index + indent, sentence: match[0].trim() };
  }
}

const isQuestion = (sentence: string): boolean => /\?["'”)]*$/.test(sentence);

function withoutOverlaps(hits: Hit[]): Hit[] {
  hits.sort((a, b) => a.at - b.at);
  const kept: Hit[] = [];
  let end = -1;
  for (const hit of hits) {
    if (hit.at < end) continue;
    kept.push(hit);
    end = hit.at + hit.text.length;
  }
  return kept;
}
