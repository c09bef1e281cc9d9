import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { kontorProgram } from '../../src/program.ts';
import { describeOperator, wantsName } from '../../src/wiring/commands/operator.rules.ts';

// Who ran a command, as the audit trail has it: a machine has one user for the service, and several people who use it.

test.each([
  [{ user: 'anna' }, 'anna@pay1'],
  [{ user: 'kontor', sudoUser: 'anna' }, 'anna/kontor@pay1'],
  [{ user: 'kontor', sudoUser: 'anna', given: 'Anna Berg' }, 'Anna Berg/anna/kontor@pay1'],
  [{ user: 'anna', sudoUser: 'anna', given: 'anna' }, 'anna@pay1'],
  [{ user: 'root', given: "Zoë O'Neill, 2nd shift" }, "Zoë O'Neill, 2nd shift/root@pay1"],
  [{ user: 'a:b/c', sudoUser: 'x\ny' }, 'x?y/a?b?c@pay1'],
])('%j', (known, name) => {
  expect(describeOperator({ given: undefined, sudoUser: undefined, host: 'pay1', ...known })).toBe(name);
});

test.each(['', ' ', 'a:b', 'a/b', 'a\nb', 'x'.repeat(61)])('no name: %j', (given) => {
  expect(() => describeOperator({ given, sudoUser: undefined, user: 'kontor', host: 'pay1' })).toThrow(
    /^--as is a name/,
  );
});

/** Those that only look, or that do what a program or the service does as well. */
const WITHOUT_NAME = [
  'access-tokens list',
  'accounts list',
  'acquirers certify',
  'acquirers check',
  'acquirers echo',
  'acquirers exchanges',
  'acquirers list',
  'acquirers simulate',
  'acquirers trace',
  'background list',
  'card-ranges list',
  'card-ranges load',
  'disputes list',
  'disputes show',
  'doctor',
  'gift-card-products create',
  'gift-card-products list',
  'gift-card-products retire',
  'gift-cards liability',
  'gift-cards open-file',
  'gift-cards show',
  'hmac sign',
  'hmac-keys list',
  'issuers list',
  'keys list',
  'ledger sales',
  'ledger statement',
  'ledger trial-balance',
  'ledger verify',
  'listen',
  'migrate',
  'oauth-clients list',
  'openapi',
  'page check',
  'payees create',
  'payees list',
  'payment-orders list',
  'payment-orders show',
  'portal-users list',
  'sandbox',
  'serve',
  'settlements business-days',
  'settlements differences',
  'settlements export',
  'settlements list',
  'settlements payouts',
  'settlements show',
  'three-ds simulate',
  'webhooks delete',
  'webhooks deliveries',
  'webhooks enable',
  'webhooks list',
  'webhooks redeliver',
  'webhooks test',
];

test('each command has been judged: whether production wants to know who runs it', async () => {
  const leaves = (command: Command, path: readonly string[]): string[] =>
    command.commands.length === 0
      ? [path.join(' ')]
      : command.commands.flatMap((one) => leaves(one, [...path, one.name()]));
  const all = leaves(await kontorProgram([], () => undefined), []);
  expect(all.filter((path) => !wantsName(path.split(' '))).sort()).toEqual([...WITHOUT_NAME].sort());
});
