/** A drawing as data, which code returns and reports draw. Units are pixels; y grows downwards. */
export interface PictureScene {
  readonly shapes: readonly Shape[];
}

export type Shape = Styled &
  (
    | { readonly box: readonly [x: number, y: number, width: number, height: number]; readonly text?: string }
    | { readonly circle: readonly [x: number, y: number, radius: number]; readonly text?: string }
    | {
        readonly line: readonly [x1: number, y1: number, x2: number, y2: number];
        readonly arrow?: boolean;
        readonly text?: string;
      }
    | { readonly text: string; readonly at: readonly [x: number, y: number] }
  );

interface Styled {
  readonly colour?: "plain" | "accent" | "good" | "bad" | "faint";
  readonly dashed?: boolean;
}
