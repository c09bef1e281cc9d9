import type { Static, TSchema } from 'typebox';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { declaredBody } from './declared.ts';
import { parseJson } from './parse-json.ts';
import { schemaChecker } from './validate.ts';

/** Reads lines of a file as bodies of requests are read. */
export interface LineReader<Body extends TSchema> {
  /** What the schema declares of a value. Throws a Refusal where a member is not well-formed. */
  take(value: unknown): Static<Body>;
  readonly parseJson: typeof parseJson;
}

/** Makes what reads the lines of a file: by the rules of the API, also about card numbers in texts. */
export function lineReader<Body extends TSchema>(cardPrefixes: () => CardPrefixes, body: Body): LineReader<Body> {
  const read = declaredBody(schemaChecker(cardPrefixes), body);
  return { take: (value) => read(value) as Static<Body>, parseJson };
}
