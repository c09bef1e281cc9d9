import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { orderLives } from '../support/crash/order-lives.ts';
import { twoInstances } from '../support/crash/two-instances.ts';
import { testSeed } from '../support/shop/tokens-seed.ts';
import { until } from '../support/until.ts';

// The short run, and a kill at each moment of an order, are in test/faults-short.

const ROUNDS = 8;
const LIVES = 120;
/** `ORDER_LIVES` says another number, which takes as many minutes more: see docs/faults.md. */
const MANY = Number(process.env['ORDER_LIVES'] ?? 600);
const AT_ONCE = 16;
/** Milliseconds that a life may take, beside others and beside much other work. */
const LIFE_MS = 3_000;

it(`${ROUNDS} kills of an instance in the middle of ${LIVES} lives of orders: no hold is left, and nothing is spent twice`, async () => {
  const seed = testSeed();
  const moments = fc.sample(fc.integer({ min: 2 * AT_ONCE, max: LIVES - 20 }), { seed, numRuns: ROUNDS });
  for (const [number, killAfter] of moments.entries()) {
    const both = await twoInstances();
    onTestFinished(() => both.stop());
    const lives = await orderLives(both);
    const where = `seed ${seed}, round ${number}, killed after ${killAfter} orders`;
    const living = lives.run({ seed: seed + number, lives: LIVES, atOnce: AT_ONCE, mayFail: true });
    await until(() => lives.made >= killAfter, 300_000);
    both.kill();
    expect(await living, where).toEqual([]);
    expect(await lives.end({ isAlone: true }), where).toEqual([]);
    process.stdout.write(`${where}: ${JSON.stringify(lives.done)}\n`);
  }
});

it(
  `in ${MANY} lives at two instances, all adds up at every moment`,
  async () => {
    const seed = testSeed();
    const both = await twoInstances();
    onTestFinished(() => both.stop());
    const lives = await orderLives(both);
    expect(await lives.run({ seed, lives: MANY, atOnce: AT_ONCE }), `seed ${seed}`).toEqual([]);
    expect(await lives.end(), `seed ${seed}`).toEqual([]);
    process.stdout.write(`seed ${seed}: ${JSON.stringify(lives.done)}\n`);
  },
  Math.max(30 * 60_000, MANY * LIFE_MS),
);
