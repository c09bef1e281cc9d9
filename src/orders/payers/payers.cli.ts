import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, type CommandRuntime, command, type Given, optional, payeeOption } from '../../kit/command.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { PersonService } from '../orders.types.ts';
import { type Erasure, erasePerson } from './erase-person.ts';
import { findPerson, isEmpty, type Person } from './find-person.ts';
import { KEPT } from './kept.rules.ts';
import { comparableEmail, sameEmailAs } from './same-email.rules.ts';

type Runtime = CommandRuntime<PersonService>;

/** What says whom a command is about. */
const WHOM = {
  payerReference: optional('[payerReference]', "the payee's reference of the payer"),
  email: optional('<address>', 'in its place: an e-mail address, as orders, card payments and gift cards have it'),
  payee: payeeOption('whose payer'),
};

const show = command({
  name: 'show',
  about: 'show the orders, card payments, tokens and gift cards of a payer',
  args: ['payerReference'],
  takes: WHOM,
  json: 'print all that is stored, as export does',
  run: (runtime: Runtime, given) => find(runtime, given),
  asJson: ({ person }) => person,
  show: ({ person }) => describe(person),
});

const exportPayer = command({
  name: 'export',
  about: 'print all that is stored of a payer as JSON, for the person',
  args: ['payerReference'],
  takes: WHOM,
  json: 'print it on one line',
  run: (runtime: Runtime, given) => find(runtime, given),
  asJson: ({ person }) => person,
  show: ({ person }) => JSON.stringify(person, null, 2),
});

const erase = command({
  name: 'erase',
  about: 'erase who a payer is from orders, card payments, tokens and gift cards',
  args: ['payerReference'],
  takes: WHOM,
  json: 'print {"payer", "at", "erased", "kept"}',
  run: async (runtime: Runtime, given) => {
    const { erasure, ...found } = await find(runtime, given, true);
    if (erasure === undefined) throw new Trouble(NOTHING);
    return { ...found, erasure };
  },
  asJson: ({ name, erasure: { at, erased } }) => ({ payer: name, at, erased, kept: KEPT }),
  show: (erasing) => receipt(erasing),
});

/** `payers …`. */
export const payerCommands: readonly Command<Runtime>[] = [show, exportPayer, erase];

const NOTHING = 'Nothing is stored of this payer. Look at the reference or the address, and at --payee.';

/** What is stored of a person, and what was erased of it where that is asked for. */
async function find({ withService }: Runtime, { payerReference, email, payee }: Given<typeof WHOM>, isErased = false) {
  const name = payerReference ?? email;
  if (name === undefined || (payerReference !== undefined && email !== undefined)) {
    throw new Trouble("Say whose: the payee's reference of the payer, or --email ADDRESS.");
  }
  return withService(async (service) => {
    const payeeId = await service.whichPayee(payee);
    const whom: Parameters<typeof findPerson>[1] =
      payerReference === undefined ? { payeeId, isEmail: sameEmailAs(name) } : { payeeId, payerReference };
    const person = await findPerson(service.person, whom);
    if (isEmpty(person)) throw new Trouble(NOTHING);
    const named = {
      payeeId,
      payerReference,
      name: payerReference ?? comparableEmail(name),
      person,
      actor: COMMAND_LINE,
    };
    const erasure = isErased
      ? await service.transact((transaction) => erasePerson(transaction, service.person, named))
      : undefined;
    return { payeeId, name, person, erasure };
  });
}

function describe({ orders, cardPayments, tokens, giftCards }: Person): string {
  const lines = [
    ...orders.map((order) => [
      'order',
      String(order.number),
      order.created,
      formatMoney(order.amount, order.currency),
      said(order.payer),
    ]),
    ...cardPayments.map((payment) => [
      'card payment',
      String(payment.number),
      payment.created,
      formatMoney(payment.amount, payment.currency),
      said({ ...payment.cardholder, ...payment.cards.at(-1) }),
    ]),
    ...tokens.map((token) => [
      'token',
      token.token,
      token.created,
      '',
      said({ ...token, token: undefined, created: undefined }),
    ]),
    ...giftCards.map(({ paymentAccountId, issued, email, msisdn }) => [
      'gift card',
      paymentAccountId,
      issued,
      '',
      said({ email, msisdn }),
    ]),
  ];
  return formatTable(['what', 'number', 'created', 'amount', 'known'], lines);
}

/** Texts that are known, without what is empty. */
function said(known: object = {}): string {
  return Object.values(known)
    .filter((value) => typeof value === 'string')
    .join(', ');
}

interface Erasing {
  readonly payeeId: PayeeId;
  /** The reference or the address. */
  readonly name: string;
  readonly person: Person;
  readonly erasure: Erasure;
}

function receipt({ payeeId, name, person, erasure: { erased, at } }: Erasing): string {
  const { orders, cardPayments, tokens, tombstones, giftCards } = erased;
  return [
    `Erased of ${name} for payee ${payeeId}, ${at}:`,
    `  who paid ${orders} of ${person.orders.length} orders`,
    `  who paid ${cardPayments} card payments, with the names on their cards`,
    `  ${tokens} tokens, and what was written on ${tombstones} deleted ones`,
    `  whose ${giftCards} gift cards are`,
    'What stays, and why:',
    ...KEPT.map(({ what, why }) => `  ${what}: ${why}`),
  ].join('\n');
}
