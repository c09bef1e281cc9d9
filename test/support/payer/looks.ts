/** How a page is seen. */
export interface Look {
  readonly locale: (typeof LOCALES)[number];
  readonly theme: 'light' | 'dark';
  /** Of the window, in CSS pixels. */
  readonly width: number;
}

/** The languages that Kontor speaks. */
export const LOCALES = ['nb-NO', 'sv-SE', 'da-DK', 'fi-FI', 'en-US'] as const;

/** Every language, in light and dark, on a phone and on a desktop. */
const ALL: readonly Look[] = LOCALES.flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((theme) => [390, 1440].map((width) => ({ locale, theme, width }))),
);

/** Whether this is `npm run test:browser`. */
export const SEES_ALL = process.env['TEST_LOOKS'] === 'all';

/**
 * Looks to test a page in: in `npm run test:browser` all, else a single one. Give each page or state its own number, so
 * that the single ones differ and a plain `npm test` sees each language, both themes and both widths.
 */
export function looksFor(number: number): readonly Look[] {
  return SEES_ALL ? ALL : oneLook(number);
}

/**
 * Whether a page, by its number, is one of those that `npm test` looks at more closely than at others: every third one. In
 * `npm run test:browser` each is.
 */
export function isInShare(number: number): boolean {
  return SEES_ALL || number % 3 === 0;
}

/** A single look, for what has been seen in all of them elsewhere. */
export function oneLook(number: number): readonly Look[] {
  // 7 and 20 have no common divisor: twenty numbers in a row meet all looks, and neighbours differ in all three.
  return ALL.filter((_look, index) => index === (number * 7) % ALL.length);
}

/** A look as the name of a test. */
export function nameOf({ locale, theme, width }: Look): string {
  return `${locale} ${theme} ${width}`;
}
