import { describe, expect, test } from 'vitest';
import { OPERATOR, type PayeeId } from '../../kit/ids.ts';
import { createSamples, REFUSALS_OF_PAYEE, REFUSALS_ROWS_A_MINUTE, REFUSALS_WINDOW_MS } from './refusal-samples.ts';
import { refuseSignature, refuseStranger } from './refused-callers.rules.ts';

const SESSION = '01980000-0000-7000-8000-000000000001';
const from = (address: string) => ({ address, sessionId: SESSION });
const PAYEE = '01980000-0000-7000-8000-000000000002' as PayeeId;

function started() {
  const clock = { ms: 1_000 };
  const samples = createSamples(() => clock.ms);
  const write = (all = false) => {
    const told = samples.take(all);
    samples.settle(told);
    return told.map(({ sample, times }) => [sample.reason, sample.origin.address, times]);
  };
  return { clock, samples, write };
}

describe('samples of refusals', () => {
  test('the first is due at once, and those like it together when the window is over', () => {
    const { clock, samples, write } = started();
    samples.add(refuseStranger('no-token'), from('192.0.2.1'), 1);
    expect(write()).toEqual([['no-token', '192.0.2.1', 1]]);
    samples.add(refuseStranger('no-token'), from('192.0.2.1'), 1);
    samples.add(refuseStranger('no-token'), from('192.0.2.1'), 3);
    expect(write()).toEqual([]);
    clock.ms += REFUSALS_WINDOW_MS;
    expect(write()).toEqual([['no-token', '192.0.2.1', 4]]);
    clock.ms += REFUSALS_WINDOW_MS;
    expect(write(), 'and nothing where nothing came').toEqual([]);
  });

  test('another reason, credential or network is another sample; another address of a network of IPv6 is not', () => {
    const { samples, write } = started();
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']) {
      samples.add(refuseStranger('no-token'), from(address), 1);
    }
    samples.add(refuseStranger('unknown-token'), from('192.0.2.1'), 1);
    for (const id of ['1', '2']) {
      const credential = { kind: 'access-token', id } as const;
      samples.add(refuseSignature({ payeeId: PAYEE, credential }, 'missing'), from('192.0.2.1'), 1);
    }
    expect(write()).toEqual([
      ['no-token', '192.0.2.1', 1],
      ['no-token', '192.0.2.2', 1],
      ['no-token', '2001:db8::1', 2],
      ['unknown-token', '192.0.2.1', 1],
      ['missing', '192.0.2.1', 1],
      ['missing', '192.0.2.1', 1],
    ]);
  });

  test('what was not written is due again', () => {
    const { samples } = started();
    samples.add(refuseStranger('no-token'), from('192.0.2.1'), 2);
    expect(samples.take(false).map(({ times }) => times)).toEqual([2]);
    samples.add(refuseStranger('no-token'), from('192.0.2.1'), 1);
    expect(samples.take(false).map(({ times }) => times)).toEqual([3]);
  });

  test('a flood from everywhere makes so many rows, tells how many there were, and takes the place of no other', () => {
    const { clock, samples, write } = started();
    for (let sent = 0; sent < 10_000; sent++) {
      samples.add(refuseStranger('no-token'), from(`10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`), 1);
    }
    samples.add(
      refuseSignature({ payeeId: PAYEE, credential: { kind: 'access-token', id: '1' } }, 'missing'),
      from('192.0.2.1'),
      1,
    );
    const rows = write();
    expect(rows).toHaveLength(REFUSALS_OF_PAYEE + 2);
    expect(rows).toContainEqual(['missing', '192.0.2.1', 1]);
    expect(rows).toContainEqual(['many', undefined, 10_000 - REFUSALS_OF_PAYEE]);
    expect(rows.reduce((sum, [, , times]) => sum + Number(times), 0)).toBe(10_001);
    clock.ms += REFUSALS_WINDOW_MS;
    expect(write()).toEqual([]);
    samples.add(refuseStranger('no-token'), from('192.0.2.9'), 1);
    expect(write(), 'there is room again').toEqual([['no-token', '192.0.2.9', 1]]);
  });

  test('so many rows are due in a minute, and the others in the next', () => {
    const { clock, samples, write } = started();
    const payees = 2 * REFUSALS_ROWS_A_MINUTE;
    for (let payee = 0; payee < payees; payee++) {
      const payeeId = `01980000-0000-7000-8000-${String(payee).padStart(12, '0')}` as PayeeId;
      samples.add(
        refuseSignature({ payeeId, credential: { kind: 'access-token', id: '1' } }, 'missing'),
        from('192.0.2.1'),
        1,
      );
    }
    expect(write()).toHaveLength(REFUSALS_ROWS_A_MINUTE);
    expect(write()).toHaveLength(0);
    clock.ms += 60_000;
    expect(write()).toHaveLength(REFUSALS_ROWS_A_MINUTE);
  });

  test('at the end all is due', () => {
    const { samples, write } = started();
    samples.add(refuseStranger('no-token'), from('192.0.2.1'), 1);
    write();
    samples.add(refuseStranger('no-token'), from('192.0.2.1'), 7);
    expect(write(true)).toEqual([['no-token', '192.0.2.1', 7]]);
    expect(refuseStranger('no-token').payeeId).toBe(OPERATOR);
  });
});
