import { describe, expect, it } from 'vitest';
import type { Transact } from '../db/transaction.types.ts';
import { STAN_BLOCK } from '../kit/limits.ts';
import type { Agreement } from './acquirers/acquirers.types.ts';
import { exchangeMaker } from './exchanges.flow.ts';

const AGREEMENT = { acquirer: 'north', terminalIds: ['WEB00001'] } as unknown as Agreement;
const WEB = { channel: 'ECommerce' } as const;
const institutionOf = () => '957800';
const now = () => '2026-11-22T12:00:00.000Z';

/** Gives blocks away one after the other, and counts them; the first `failures` are refused. */
function blocks(failures = 0) {
  const taken = { tries: 0, given: 0 };
  const transact: Transact = (work) => {
    taken.tries++;
    if (taken.tries <= failures) return Promise.reject(new Error('away'));
    const first = 1 + STAN_BLOCK * taken.given++;
    return work({ run: () => Promise.resolve({ rows: [{ first }], count: 1 }) } as never);
  };
  return { taken, newExchange: exchangeMaker({ transact, now, institutionOf, randomBelow: () => 0 }) };
}

it('no number is given twice, however many messages ask at once, and a hundred cost one round trip', async () => {
  const { taken, newExchange } = blocks();
  const made: string[] = [];
  const asker = async () => {
    for (let count = 0; count < 25; count++) made.push((await newExchange(AGREEMENT, WEB)).stan);
  };
  await Promise.all(Array.from({ length: 64 }, asker));
  expect(made).toHaveLength(1_600);
  expect(new Set(made).size).toBe(1_600);
  expect(made[0]).toBe('000001');
  // One more is fetched before the last one is used up.
  expect(taken.given).toBe(1_600 / STAN_BLOCK + 1);
});

it('where no block can be had all who wait are told, and the next one tries again', async () => {
  const { taken, newExchange } = blocks(1);
  const waiting = await Promise.allSettled(Array.from({ length: 8 }, () => newExchange(AGREEMENT, WEB)));
  expect(waiting.map(({ status }) => status)).toEqual(Array(8).fill('rejected'));
  expect(taken.tries).toBe(1);
  expect((await newExchange(AGREEMENT, WEB)).stan).toBe('000001');
});

it('two acquirers of one institution count a terminal together', async () => {
  const { newExchange } = blocks();
  const other = { ...AGREEMENT, acquirer: 'north-2' };
  const made = [await newExchange(AGREEMENT, WEB), await newExchange(other, WEB), await newExchange(AGREEMENT, WEB)];
  expect(made.map(({ stan }) => stan)).toEqual(['000001', '000002', '000003']);
  expect(made.map(({ acquirerId }) => acquirerId)).toEqual(['north', 'north-2', 'north']);
});

describe('the terminals of an agreement', () => {
  const terminalIds = ['WEB00001', 'WEB00002', 'MOTO0001', 'MIT00001'];
  const terminalChannels = { MOTO0001: ['MailOrPhone'], MIT00001: ['Merchant', 'MailOrPhone'] } as const;
  const agreement = { ...AGREEMENT, terminalIds, terminalChannels };

  it.each([
    ['ECommerce', ['WEB00001', 'WEB00002']],
    ['Terminal', ['WEB00001', 'WEB00002']],
    ['MailOrPhone', ['MIT00001', 'MOTO0001']],
    ['Merchant', ['MIT00001']],
  ] as const)('are all used, in turn: %s', async (channel, terminals) => {
    const { newExchange } = blocks();
    const made: string[] = [];
    for (let turn = 0; turn < 4; turn++) made.push((await newExchange(agreement, { channel })).terminalId);
    expect(made.slice(0, terminals.length).toSorted()).toEqual(terminals);
    expect(made.slice(2)).toEqual(made.slice(0, 2));
  });

  it('are those of the payment for what follows it', async () => {
    const { newExchange } = blocks();
    const about = { terminalId: 'GONE0001', retrievalReference: '633200000001' };
    for (let turn = 0; turn < 3; turn++) expect(await newExchange(agreement, about)).toMatchObject(about);
  });
});
