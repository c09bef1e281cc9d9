import { beforeEach, describe, expect, test } from 'vitest';
import { createFairTurns, strangerAt, type Turns } from './fair-turns.ts';

const WAITING = 4;
let turns: Turns;
/** Ends of the work under way, and whose it is. */
let working: { readonly who: string; readonly end: () => void }[];
let refused: string[];

beforeEach(() => {
  working = [];
  refused = [];
  turns = createFairTurns({ atOnce: 1, waiting: WAITING, patienceMs: 60_000, refusal: () => new Error('refused') });
});

/** Asks for a turn from an address. */
function ask(address: string, who = address): Promise<void> {
  const work = () => new Promise<void>((end) => void working.push({ who, end }));
  return turns(strangerAt(address), work).catch(() => void refused.push(who));
}

/** Ends the work under way, again and again, and tells in which order they had their turns. */
async function order(): Promise<string[]> {
  const told: string[] = [];
  for (let one = working.shift(); one !== undefined; one = working.shift()) {
    told.push(one.who);
    one.end();
    await new Promise(setImmediate);
  }
  return told;
}

const settled = () => new Promise(setImmediate);

describe('turns', () => {
  test('go round networks, however many addresses one of them has', async () => {
    const all = [ask('192.0.2.1', 'first')];
    for (const own of ['a', 'b', 'c']) all.push(ask(`2001:db8:0:${own}00::1`, `stranger ${own}`));
    all.push(ask('2001:db8:1::1', 'customer'));
    expect(await order()).toEqual(['first', 'stranger a', 'customer', 'stranger b', 'stranger c']);
    await Promise.all(all);
    expect(refused).toEqual([]);
  });

  test('of one large network go round the small ones in it', async () => {
    const all = [ask('198.51.100.1', 'first')];
    for (const own of [1, 2]) all.push(ask('192.0.2.7', `neighbour ${own}`));
    all.push(ask('192.0.2.8', 'customer'));
    expect(await order()).toEqual(['first', 'neighbour 1', 'customer', 'neighbour 2']);
    await Promise.all(all);
  });
});

test('of a party no more work at once than it may, and a free place is for others', async () => {
  turns = createFairTurns({ atOnce: 2, atOnceEach: 1, waiting: 9, patienceMs: 60_000, refusal: () => new Error('no') });
  const all = ['a', 'b', 'c'].map((own) => ask('192.0.2.1', own));
  await settled();
  expect(working.map(({ who }) => who)).toEqual(['a']);
  all.push(ask('198.51.100.1', 'other'));
  await settled();
  expect(working.map(({ who }) => who)).toEqual(['a', 'other']);
  working.pop()?.end();
  await settled();
  expect(working.map(({ who }) => who)).toEqual(['a']);
  expect(await order()).toEqual(['a', 'b', 'c']);
  await Promise.all(all);
  expect(refused).toEqual([]);
});

describe('when all places are taken', () => {
  test('the network that has most gives one up for another', async () => {
    const all = Array.from({ length: 1 + WAITING }, (_, n) => ask(`2001:db8:0:${n}00::1`, `stranger ${n}`));
    all.push(ask('192.0.2.1', 'customer'));
    await settled();
    expect(refused).toEqual([`stranger ${WAITING}`]);
    expect((await order()).slice(0, 3)).toEqual(['stranger 0', 'stranger 1', 'customer']);
    await Promise.all(all);
  });

  test('a network that has most already gets no more', async () => {
    const all = Array.from({ length: 1 + WAITING + 2 }, (_, n) => ask('2001:db8::1', `stranger ${n}`));
    await settled();
    expect(refused).toEqual(['stranger 5', 'stranger 6']);
    await order();
    await Promise.all(all);
  });

  test('within a large network the small one that has most gives one up', async () => {
    const all = Array.from({ length: 1 + WAITING }, (_, n) => ask('192.0.2.7', `stranger ${n}`));
    all.push(ask('192.0.2.8', 'customer'));
    await settled();
    expect(refused).toEqual([`stranger ${WAITING}`]);
    expect(await order()).toContain('customer');
    await Promise.all(all);
  });
});

test('who waits too long is refused, and work that fails gives its turn back', async () => {
  turns = createFairTurns({ atOnce: 1, waiting: WAITING, patienceMs: 20, refusal: () => new Error('refused') });
  const first = ask('192.0.2.1', 'first');
  await ask('192.0.2.2', 'late');
  expect(refused).toEqual(['late']);
  await order();
  await first;
  for (let times = 0; times < 5; times++) {
    await expect(turns(strangerAt('192.0.2.1'), () => Promise.reject(new Error('no database')))).rejects.toThrow(
      'no database',
    );
  }
});
