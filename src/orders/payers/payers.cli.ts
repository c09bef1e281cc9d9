import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { PersonService } from '../orders.types.ts';
import { type Erasure, erasePerson } from './erase-person.ts';
import { findPerson, isEmpty, type Person } from './find-person.ts';
import { KEPT } from './kept.rules.ts';
import { comparableEmail, sameEmailAs } from './same-email.rules.ts';

interface Options {
  readonly email?: string;
  readonly payee?: string;
  readonly json?: true;
}

/** Adds `payers show`, `export` and `erase`. */
export function payerCommands(program: Command, runtime: CommandRuntime<PersonService>): void {
  const payers = program.command('payers').description('what is stored of those who pay');
  const command = (name: string, description: string) =>
    payers
      .command(name)
      .description(description)
      .argument('[payerReference]', "the payee's reference of the payer")
      .option('--email <address>', 'in its place: an e-mail address, as orders, card payments and gift cards have it')
      .option('--payee <id>', 'whose payer; may be left out while there is one payee');
  command('show', 'show the orders, card payments, tokens and gift cards of a payer')
    .option('--json', 'print all that is stored, as export does')
    .action(async (reference: string | undefined, options: Options) => {
      const { person } = await find(runtime, reference, options);
      runtime.print(options.json ? JSON.stringify(person) : describe(person));
    });
  command('export', 'print all that is stored of a payer as JSON, for the person')
    .option('--json', 'print it on one line')
    .action(async (reference: string | undefined, options: Options) => {
      const { person } = await find(runtime, reference, options);
      runtime.print(JSON.stringify(person, null, options.json ? undefined : 2));
    });
  command('erase', 'erase who a payer is from orders, card payments, tokens and gift cards')
    .option('--json', 'print {"payer", "at", "erased", "kept"}')
    .action(async (reference: string | undefined, options: Options) => {
      const { payeeId, name, person, erasure } = await find(runtime, reference, options, true);
      if (erasure === undefined) throw new Trouble(NOTHING);
      const { erased, at } = erasure;
      if (options.json) return runtime.print(JSON.stringify({ payer: name, at, erased, kept: KEPT }));
      runtime.print(receipt({ payeeId, name, person, erasure }));
    });
}

const NOTHING = 'Nothing is stored of this payer. Look at the reference or the address, and at --payee.';

/** What is stored of a person, and what was erased of it where that is asked for. */
async function find(
  runtime: CommandRuntime<PersonService>,
  payerReference: string | undefined,
  { email, payee }: Options,
  isErased = false,
) {
  const name = payerReference ?? email;
  if (name === undefined || (payerReference !== undefined && email !== undefined)) {
    throw new Trouble("Say whose: the payee's reference of the payer, or --email ADDRESS.");
  }
  return runtime.withService(async (service) => {
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
