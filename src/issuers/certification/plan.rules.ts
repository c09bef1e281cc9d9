import { passesLuhn } from '../../kit/cards/card-number.ts';
import { containsCardNumber } from '../../kit/cards/find-card-numbers.ts';
import { amountMinor, type Currency, LARGEST_AMOUNT_MINOR, parseCurrency } from '../../kit/money.ts';
import {
  BadJson,
  listOf,
  maybe,
  objectOf,
  oneOf,
  type ReadJson,
  recordOf,
  refuseTwice,
  textLike,
  trueOrFalse,
  wholeNumber,
} from '../../kit/read-json.ts';
import { Secret } from '../../kit/secret.ts';
import { EXEMPTIONS } from '../acquirers/acquirers.types.ts';
import { text } from '../acquirers/file/acquirers-file-parts.rules.ts';
import type { AuthenticationResult } from '../questions.types.ts';
import {
  type CertificationPlan,
  type Expectation,
  FOLLOWING,
  NETWORK,
  OPENING,
  type OpeningStep,
  OUTCOMES,
  type Outcome,
  type PlanCard,
  type PlanCase,
  type PlanStep,
} from './plan.types.ts';

/** Cases, steps of a case and cards: more than any acquirer's list has. */
const CASES = 500;
const STEPS = 50;
const CARDS = 100;
const CUT_OVER_SECONDS = 30;

/** Names are written to the log as they are. */
function unnumbered(read: ReadJson<string>): ReadJson<string> {
  return (value, path) => {
    const given = read(value, path);
    if (containsCardNumber(given)) throw new BadJson(path, 'holds a card number, and is written to the log');
    return given;
  };
}

const name = unnumbered(text(80, 'a text of 1 to 80 characters'));
const word = unnumbered(
  textLike(/^[A-Za-z][A-Za-z0-9-]{0,39}$/, 40, 'a word of letters, digits and dashes that begins with a letter'),
);
const amount: ReadJson<ReturnType<typeof amountMinor>> = (value, path) =>
  amountMinor(wholeNumber(0, LARGEST_AMOUNT_MINOR)(value, path));

const currency: ReadJson<Currency> = (value, path) => {
  const read = typeof value === 'string' ? parseCurrency(value) : undefined;
  if (read === undefined) throw new BadJson(path, 'is no currency of ISO 4217, as in NOK');
  return read;
};

const number: ReadJson<Secret> = (value, path) => {
  const read = textLike(/^[0-9]{12,19}$/, 19, 'a card number of 12 to 19 digits')(value, path);
  if (!passesLuhn(read)) throw new BadJson(path, 'has another check digit');
  return new Secret(read);
};

const card: ReadJson<PlanCard> = (value, path) => {
  const { cvc, ...read } = objectOf({
    number,
    expiry: textLike(/^(0[1-9]|1[0-2])\/[0-9]{2}$/, 5, 'a month as in 12/39'),
    cvc: maybe(textLike(/^[0-9]{3,4}$/, 4, 'three or four digits')),
  })(value, path);
  return { ...read, ...(cvc !== undefined && { cvc: new Secret(cvc) }) };
};

const expectation = objectOf({
  outcome: maybe(oneOf(OUTCOMES)),
  actionCode: maybe(textLike(/^[0-9A-Za-z]{2,4}$/, 4, 'an action code')),
  approvalCode: maybe(trueOrFalse),
  takenBack: maybe(oneOf(['TakenBack', 'OriginalUnknown', 'Silence'] as const)),
});

const transactionId = textLike(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 36, 'a UUID in lower case');

const authentication: ReadJson<AuthenticationResult> = (value, path) => {
  const { authenticationValue, ...read } = objectOf({
    version: textLike(/^[0-9]\.[0-9]\.[0-9]$/, 5, 'a version as in 2.2.0'),
    transStatus: oneOf(['Y', 'A', 'U', 'I'] as const),
    eci: textLike(/^[0-9]{2}$/, 2, 'two digits'),
    authenticationValue: maybe(textLike(/^[A-Za-z0-9+/]{27}=$/, 28, '20 bytes in Base64')),
    dsTransactionId: maybe(transactionId),
    acsTransactionId: maybe(transactionId),
  })(value, path);
  const proof = authenticationValue === undefined ? {} : { authenticationValue: new Secret(authenticationValue) };
  return { ...read, ...proof, source: 'Own' };
};

const step = objectOf({
  does: oneOf([...OPENING, ...FOLLOWING, ...NETWORK]),
  name: maybe(word),
  of: maybe(word),
  card: maybe(word),
  amount: maybe(amount),
  currency: maybe(currency),
  channel: maybe(oneOf(['ECommerce', 'Mail', 'Phone', 'Terminal'] as const)),
  stores: maybe(oneOf(['Recurring', 'Unscheduled', 'OnFile'] as const)),
  authentication: maybe(authentication),
  exemption: maybe(oneOf(EXEMPTIONS)),
  reason: maybe(oneOf(['Silence', 'TooLate', 'Partial', 'NotUsable'] as const)),
  withinSeconds: maybe(wholeNumber(1, 600)),
  expect: maybe(expectation),
});
type GivenStep = ReturnType<typeof step>;

const plan = objectOf({
  name,
  agreement: textLike(/^[a-z0-9][a-z0-9-]{0,39}$/, 40, 'the id of an agreement'),
  terminalId: textLike(/^[A-Za-z0-9]{1,8}$/, 8, 'a terminal of up to 8 letters and digits'),
  currency,
  cards: recordOf(card, CARDS),
  cases: listOf(objectOf({ name, steps: listOf(step, STEPS) }), CASES),
});

/**
 * Reads a plan.
 *
 * @throws BadJson with the place of what cannot be used, and no value
 */
export function readPlan(document: unknown): CertificationPlan {
  const { cards, cases, currency: usual, ...given } = plan(document, '');
  if (cases.length === 0) throw new BadJson('cases', 'is empty');
  refuseTwice(cases.map((one, index) => [`cases[${index}].name`, one.name]));
  return {
    ...given,
    currency: usual,
    cases: cases.map((one, index): PlanCase => {
      const path = `cases[${index}].steps`;
      if (one.steps.length === 0) throw new BadJson(path, 'is empty');
      refuseTwice(
        one.steps.flatMap((taken, at) => (taken.name === undefined ? [] : [[`${path}[${at}].name`, taken.name]])),
      );
      const steps = one.steps.map((taken, at) =>
        stepOf(taken, { path: `${path}[${at}]`, cards, usual, before: one.steps.slice(0, at) }),
      );
      return { name: one.name, steps };
    }),
  };
}

interface Around {
  readonly path: string;
  readonly cards: Readonly<Record<string, PlanCard>>;
  readonly usual: Currency;
  readonly before: readonly GivenStep[];
}

function stepOf(given: GivenStep, around: Around): PlanStep {
  const { does, name } = given;
  const { path } = around;
  const isOpening = isOneOf(OPENING, does);
  const isFollowing = isOneOf(FOLLOWING, does);
  refuseOthers(given, path);
  const common = { ...(name !== undefined && { name }), expect: expectationOf(given) };
  if (isOpening) return { does, ...common, ...openingOf(given, around) };
  if (!isFollowing) return { does, ...common, withinSeconds: given.withinSeconds ?? CUT_OVER_SECONDS };
  const of = need(given.of, `${path}.of`);
  const original = around.before.find((one) => one.name === of);
  if (original === undefined) throw new BadJson(`${path}.of`, 'names no step before it in its case');
  if (!isOneOf([...OPENING, 'Renew'], original.does))
    throw new BadJson(`${path}.of`, 'names a step that opens no payment');
  const { amount, reason = 'Silence' } = given;
  if (does === 'Renew' && amount === undefined) throw new BadJson(`${path}.amount`, 'is missing');
  return { does, of, reason, ...common, ...(amount !== undefined && { amount }) };
}

function openingOf(given: GivenStep, { path, cards, usual }: Around) {
  const named = need(given.card, `${path}.card`);
  const card = Object.hasOwn(cards, named) ? cards[named] : undefined;
  if (card === undefined) throw new BadJson(`${path}.card`, 'names no card of cards');
  const amount = given.does === 'Verify' ? amountMinor(0) : need(given.amount, `${path}.amount`);
  const { currency = usual, channel = 'ECommerce', stores } = given;
  return { card, amount, currency, channel, ...(stores !== undefined && { stores }), ...vouchedOf(given, path) };
}

/** What is said of 3-D Secure: of a payer on the web alone, and one of both. */
function vouchedOf(given: GivenStep, path: string): Pick<OpeningStep, 'authentication' | 'exemption'> {
  const { authentication, exemption, channel = 'ECommerce' } = given;
  const [said] = (['authentication', 'exemption'] as const).filter((member) => given[member] !== undefined);
  if (said !== undefined && channel !== 'ECommerce') throw new BadJson(`${path}.${said}`, 'is for ECommerce alone');
  if (authentication !== undefined && exemption !== undefined) {
    throw new BadJson(`${path}.exemption`, 'must not be there beside authentication');
  }
  return { ...(authentication && { authentication }), ...(exemption && { exemption }) };
}

const CARD = ['name', 'card', 'amount', 'currency', 'channel', 'stores'];
const OPENS = [...CARD, 'authentication', 'exemption'];
const FOLLOWS = ['of', 'amount'];
/** What a step may have beside `does` and `expect`. */
const MEMBERS: Readonly<Record<PlanStep['does'], readonly string[]>> = {
  Authorize: OPENS,
  Purchase: OPENS,
  Credit: CARD,
  Verify: OPENS.filter((member) => member !== 'amount' && member !== 'exemption'),
  Renew: ['name', ...FOLLOWS],
  Capture: FOLLOWS,
  Cancel: FOLLOWS,
  Reversal: FOLLOWS,
  TakeBack: [...FOLLOWS, 'reason'],
  SignOn: [],
  Echo: [],
  CutOver: ['withinSeconds'],
  Reconcile: [],
};

/** What a step has no use for would be thought to matter. */
function refuseOthers(given: GivenStep, path: string): void {
  const known = ['does', 'expect', ...MEMBERS[given.does]];
  const other = Object.keys(given).find((member) => !known.includes(member));
  if (other !== undefined) throw new BadJson(`${path}.${other}`, `is of no use for ${given.does}`);
}

function expectationOf({ does, expect = {} }: GivenStep): Expectation {
  return { ...expect, outcome: expect.outcome ?? usualOutcome(does) };
}

function usualOutcome(does: GivenStep['does']): Outcome {
  if (does === 'TakeBack') return 'TakenBack';
  return isOneOf(NETWORK, does) ? 'Answered' : 'Approved';
}

function need<Value>(value: Value | undefined, path: string): Value {
  if (value === undefined) throw new BadJson(path, 'is missing');
  return value;
}

function isOneOf<Word extends string>(words: readonly Word[], word: string): word is Word {
  return (words as readonly string[]).includes(word);
}
