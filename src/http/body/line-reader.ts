import type { Static, TObject } from 'typebox';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import type { ImportReader } from '../../kit/imports/import-lines.ts';
import { rowReader } from '../../kit/imports/import-rows.ts';
import { declaredBody } from './declared.ts';
import { parseJson } from './parse-json.ts';
import { schemaChecker } from './validate.ts';

/** Makes what reads the lines of a file: by the rules of the API, also about card numbers in texts. */
export function lineReader<Body extends TObject>(
  cardPrefixes: () => CardPrefixes,
  body: Body,
): ImportReader<Static<Body> & object> {
  const read = declaredBody(schemaChecker(cardPrefixes), body);
  const take = (value: unknown) => read(value) as Static<Body> & object;
  return { readLine: (text) => take(parseJson(text)), beginTable: () => rowReader(body, take) };
}
