import { CardLineBody } from '../../gift-cards/bulk/import.wire.ts';
import { StepBody } from '../../gift-cards/cards/life.wire.ts';
import { lineReader } from '../../http/body/line-reader.ts';
import { refuseProblems, schemaChecker } from '../../http/body/validate.ts';
import { withoutIds } from '../../http/document/schemas.ts';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { ImportLineBody, UpdateLineBody } from '../../tokens/import/import.wire.ts';

type Prefixes = () => CardPrefixes;

/** What reads the lines of a file of tokens. */
export const tokenReaders = (cardPrefixes: Prefixes) => ({
  reader: lineReader(cardPrefixes, ImportLineBody),
  updateReader: lineReader(cardPrefixes, UpdateLineBody),
});

/** What reads the lines of a file of gift cards. */
export const cardReader = (cardPrefixes: Prefixes) => ({ reader: lineReader(cardPrefixes, CardLineBody) });

/** What holds the words of a gift card's step to the rules that they have in a request. */
export function stepWords(cardPrefixes: Prefixes) {
  const check = schemaChecker(cardPrefixes)(withoutIds(StepBody));
  return { checkWords: (words: object) => refuseProblems(check(words)) };
}
