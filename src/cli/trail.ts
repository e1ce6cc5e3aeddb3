/** Spin's `.trail` files. */
export const whyNoTrail = (_path: string, _text: string): { message: string; hint: string } | undefined =>
  undefined;
