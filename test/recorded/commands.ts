import { accountCommands } from '../../src/accounts/opening/accounts.cli.ts';
import { deliveryCommands } from '../../src/events/deliveries/deliveries.cli.ts';
import { liabilityCommands } from '../../src/gift-cards/liability/liability.cli.ts';
import type { Command } from '../../src/kit/command.ts';
import { ledgerCommands } from '../../src/ledger/verification/ledger.cli.ts';
import { disputeCommands } from '../../src/settlements/disputes/disputes.cli.ts';
import { sales } from '../../src/settlements/reports/sales.cli.ts';
import { trialBalance } from '../../src/settlements/reports/trial-balance.cli.ts';
import { settlementCommands } from '../../src/settlements/settlements.cli.ts';
import type { Service } from '../../src/wiring/service.ts';
import { commandServices } from '../../src/wiring/slices.ts';
import { runCommand, serviceOf } from '../support/run-command.ts';
import type { RecordedAnswer } from './answers.ts';
import type { Source } from './objects.ts';

/** Commands by their first words, and what they are given of the service. */
const GROUPS: Readonly<Record<string, readonly [commands: readonly Command<never>[], name: keyof Services]>> = {
  accounts: [accountCommands, 'accounts'],
  'gift-cards': [liabilityCommands, 'liability'],
  ledger: [[...ledgerCommands, trialBalance, sales], 'ledger'],
  settlements: [settlementCommands, 'settlements'],
  disputes: [disputeCommands, 'settlements'],
  webhooks: [deliveryCommands, 'events'],
};
type Services = ReturnType<typeof commandServices>;
/** Those of `ledger …` that settlement brings along. */
const OF_SETTLEMENT = ['trial-balance', 'sales'];

/** Words of all commands that are asked, without `--json` and `--payee`. */
export async function commandsAbout({ database }: Source): Promise<string[]> {
  const values = async (sql: string) => (await database.asAdmin(sql)).map(({ value }) => String(value));
  const [first, last] = await values(`
    select ((min(happened_at) - interval '1 day') at time zone 'Europe/Oslo')::date as value from movement union all select (kontor_now() at time zone 'Europe/Oslo')::date`);
  const days = `--from ${first} --to ${last}`;
  const about = async (words: string, sql: string) => (await values(sql)).map((value) => `${words} ${value}`);
  const day = 'select distinct day::text as value from settlement_day order by 1';
  return [
    'accounts list',
    'gift-cards liability',
    ...(await about(
      'ledger statement',
      `select account_id as value from account where kind = 'StoredValue' order by 1`,
    )),
    `ledger trial-balance ${days}`,
    ...['day', 'shop', 'terminal', 'vatRate', 'means', 'brand'].map((by) => `ledger sales ${days} --by ${by}`),
    'settlements list',
    ...(await about('settlements show', day)),
    ...(await about('settlements export --day', day)),
    `settlements payouts ${days}`,
    'settlements differences',
    `settlements business-days ${days}`,
    'disputes list',
    ...(await about('disputes show', 'select dispute_id as value from dispute order by 1')),
    ...(await about(
      'webhooks deliveries',
      `select webhook_id as value from webhook where callback_origin is null order by 1`,
    )),
  ];
}

/** Runs commands in this process, on a service that is there already. */
export async function runAll(
  service: Service,
  payeeId: string,
  commands: readonly string[],
): Promise<readonly RecordedAnswer[]> {
  const services = commandServices(service);
  const answers: RecordedAnswer[] = [];
  for (const line of commands) {
    const [group = '', ...words] = line.split(' ');
    const [known, own] = GROUPS[group] ?? [[], 'ledger'];
    const name = OF_SETTLEMENT.includes(words[0] ?? '') ? 'settlements' : own;
    const given = serviceOf((await (services[name] as () => unknown)()) as never);
    const printed = await runCommand(known, given as never, [...words, '--payee', payeeId, '--json']);
    const body = printed.flatMap(objectsIn);
    answers.push({ ask: `kontor ${line}`, as: 'operator', operationId: 'command', status: 200, type: 'json', body });
  }
  return answers;
}

/** A text of JSON, or of one object a line. */
function objectsIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  }
}
