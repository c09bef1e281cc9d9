import type { ErrorObject, ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { maskCardNumbersIn } from '../../kit/cards/find-card-numbers.ts';
import { type ProblemDetail, Refusal } from '../../kit/errors.ts';
import { rewrite } from '../document/schemas.ts';
import { builtCheck } from './built-checks.ts';
import type { AskedBy } from './text-keywords.ts';

/** Entries in one problem: enough to correct a body in one go, too few to make the answer large. */
const MOST_PROBLEMS = 20;

/** Says what is wrong with a value, in the order of its members; an empty list when nothing is. */
export type Check = (value: unknown) => readonly ProblemDetail[];

/** Makes the function that checks values by a schema. */
type MakeCheck = (schema: TSchema) => ValidateFunction;

let makeCheck: MakeCheck = builtCheck;

/** Has checks compiled in this process: for tests, which run without a build. */
export function makeChecksWith(make: MakeCheck): void {
  makeCheck = make;
}

/**
 * Makes checks from schemas. The build has compiled each: see `built-checks.ts`. Nothing is coerced, removed or filled in: what is not as declared is refused. What looks
 * at each character of a text, such as a pattern, is asked only of one that is short enough: see `TEXT_KEYWORDS`.
 *
 * No text may hold a card number, nor may a name that the caller chooses (PCI DSS 4.0.1, 3.5.1: one that strays into a
 * description would be stored in the clear), and none with `noCardCode` a card's code. `unscanned: reason` takes a text out, and says why it may have one.
 *
 * Beside JSON Schema there is `freeText: N`, for a text of a person: 1 to N characters after trimming. `idLike: pattern`
 * is a string or a number whose text fits the pattern, for members that some clients send as the one and some as the
 * other; such a member has no `type`. `decimal` is a number that may have a fraction: read both with `textOf`.
 * `scalar: N` is a text of up to N characters, a number that may have a fraction, true or false.
 *
 * @param prefixes further beginnings of card numbers, asked at each check because they can change
 */
export function schemaChecker(prefixes: () => CardPrefixes): (schema: TSchema) => Check {
  const asked: AskedBy = { prefixes };
  return (schema) => {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= compiled(schema);
      return validate.call(asked, value) ? [] : describe(validate, prefixes());
    };
  };
}

/** Three of four schemas of routes are the same as another one, and so are those of all services in one process. */
const known = new Map<string, ValidateFunction>();

function compiled(schema: TSchema): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = known.get(text) ?? makeCheck(scanned(schema));
  known.set(text, validate);
  return validate;
}

/** The schema with `noCardNumber` at every text that is neither one of given ones nor taken out, and at chosen names. */
export function scanned(schema: TSchema): TSchema {
  return rewrite(schema, (part) => {
    const { type, enum: given, const: constant, unscanned, patternProperties, additionalProperties } = part;
    const { idLike, scalar, propertyNames } = part;
    const isText =
      type === 'string' ||
      idLike !== undefined ||
      scalar !== undefined ||
      (Array.isArray(type) && type.includes('string'));
    if (isText && given === undefined && constant === undefined && typeof unscanned !== 'string') {
      return { ...part, noCardNumber: true };
    }
    const hasChosenNames = type === 'object' && (patternProperties ?? additionalProperties ?? false) !== false;
    return hasChosenNames
      ? { ...part, propertyNames: { ...(propertyNames as object | undefined), noCardNumber: true } }
      : part;
  }) as TSchema;
}

/** Refuses a value with every problem that its check finds. */
export function refuseProblems(problems: readonly ProblemDetail[]): void {
  if (problems.length === 0) return;
  throw new Refusal('inputerror', 'The request breaks the rules of its input; see problems.', { problems });
}

function describe(validate: ValidateFunction, prefixes: CardPrefixes): ProblemDetail[] {
  const seen = new Set<string>();
  const problems: ProblemDetail[] = [];
  for (const error of validate.errors ?? []) {
    const name = maskCardNumbersIn(memberName(error), prefixes);
    if (seen.has(name) || problems.length === MOST_PROBLEMS) continue;
    seen.add(name);
    problems.push({ name, description: description(error) });
  }
  return problems;
}

/** The JSON path of the member, as in `payment.prices[0].amount`; `body` for the whole. */
function memberName(error: ErrorObject): string {
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'required') steps.push(String(error.params['missingProperty']));
  const name = steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : `${path}.${step}`), '');
  return name.replace(/^\./, '') || 'body';
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer, written without fraction or exponent',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

function description(error: ErrorObject): string {
  const limit = Number(error.params['limit']);
  const hint = (error.parentSchema as { description?: string } | undefined)?.description;
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${TYPE_WORDS[String(error.params['type'])] ?? 'of another type'}`;
    case 'enum':
      return `must be one of ${(error.params['allowedValues'] as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${String(error.params['allowedValue'])}`;
    case 'minLength':
      return `must have at least ${limit} character${limit === 1 ? '' : 's'}`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'noCardNumber':
      return 'must not hold a card number';
    case 'noCardCode':
      return "must not hold a card's check digits, PIN or track";
    case 'minItems':
      return `must have at least ${limit} item${limit === 1 ? '' : 's'}`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'maxProperties':
      return `must have at most ${limit} members`;
    case 'propertyNames':
    case 'additionalProperties':
      return 'has a member whose name has the wrong form';
    case 'scalar':
      return `must be a text of at most ${String(error.schema)} characters, a number with at most twelve digits before the point and six behind it, true or false`;
    case 'decimal':
      return 'must be a number, with up to nine digits before the point and six behind it';
    case 'freeText':
      return `must have 1 to ${String(error.schema)} characters that are not all blanks`;
    default:
      return hint === undefined ? 'has the wrong form' : `must be: ${hint}`;
  }
}
