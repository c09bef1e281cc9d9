import { inputError } from '../../kit/errors.ts';
import { EXPAND_NAME_CHARACTERS, EXPAND_NAMES } from '../../kit/limits.ts';

const NOTHING: ReadonlySet<string> = new Set();

/**
 * The sub-resources that `$expand` asks for: names parted by commas, in any case; the parameter may be repeated. Any
 * request may carry it, so a name that the route does not know is ignored.
 *
 * @param sent the value of the query parameter, or its values
 * @param expandable the names that the route knows, in any case
 * @returns names in lower case
 * @throws Refusal `inputerror` for more than ten names, known or not, or one of more than forty characters
 */
export function parseExpand(
  sent: string | readonly string[] | undefined,
  expandable: readonly string[],
): ReadonlySet<string> {
  if (sent === undefined) return NOTHING;
  const names = [sent]
    .flat()
    .flatMap((list) => list.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (names.length > EXPAND_NAMES) throw inputError('$expand', `must not have more than ${EXPAND_NAMES} names`);
  if (names.some(({ length }) => length > EXPAND_NAME_CHARACTERS)) {
    throw inputError('$expand', `must not have a name of more than ${EXPAND_NAME_CHARACTERS} characters`);
  }
  return new Set(expandable.map((name) => name.toLowerCase()).filter((name) => names.includes(name)));
}
