import { describe, expect, test } from 'vitest';
import { BEHAVIOUR_AMOUNTS } from '../../sandbox/acquirer/behaviour.rules.ts';
import { testAuthenticationValue } from '../../sandbox/acquirer/test-values.ts';
import type { Asked } from '../../src/iso8583/link/link.types.ts';
import { Secret } from '../../src/kit/secret.ts';
import { acquirerBench } from '../support/issuer/acquirer-bench.ts';
import { composed } from '../support/issuer/iso8583-messages.ts';
import { until } from '../support/until.ts';

const bench = acquirerBench();

/** All fields of an answer but for its time. */
const saidBy = (asked: Asked) =>
  asked.outcome === 'Answered' ? { ...asked.answer.fields, transmittedAt: undefined } : undefined;

describe('the amounts of the table', () => {
  const ANSWERS: [amount: number, answered: string, held?: number][] = [
    [900313, '110'],
    [900334, '102'],
    [900343, '209'],
    [900351, '100'],
    [900354, '101'],
    [900359, '202'],
    [900361, '116'],
    [900362, '104'],
    [900391, '907'],
    [900304, 'Silent Time', 900304],
    [900305, '000', 900305],
    [900306, 'Silent Time', 900306],
    [900307, '000', 900307],
    [900308, '000', 900308],
    [900309, 'Silent Broken', 900309],
    [900310, 'Silent Broken', 900310],
    [900311, 'Silent Broken', 900311],
    [900312, 'Silent Time', 900312],
    [900314, 'Silent Broken', 900314],
    [900315, '000', 900315],
    [900316, '000', 900316],
    [900317, '000', 900317],
    [900318, '000', 900318],
    [900319, 'Silent Unusable', 900319],
    [900320, '002', 450160],
    [900321, '000', 900321],
    [900322, 'Silent Time'],
    [900323, '923', 900323],
    [900324, '000', 900324],
    [900325, '909', 900325],
    [900326, '000', 900326],
    [900327, '000', 900327],
    [900328, '000', 900328],
    [900329, 'Silent Unusable', 900329],
    [900330, '000', 900330],
    [900331, '000', 900331],
    [900332, 'Silent Unusable', 900332],
    [900333, 'Silent Unusable', 900333],
    [900335, 'Silent Unusable', 900335],
    [900336, 'Silent Unusable', 900336],
    [900337, 'Silent Unusable', 450168],
    [900338, '000', 900338],
    [900339, '000', 900339],
    [900340, '000', 900340],
    [900341, '000', 900341],
    [900342, '000', 900342],
    [900344, '000', 900344],
    [900345, '000', 900345],
    [900346, '000', 900346],
    [900347, '000', 900347],
    [900348, '000', 900348],
    [900349, '000', 900349],
    [900350, '000', 900350],
    [900352, '000', 900352],
    [900353, '100'],
    [900355, '000', 900355],
    [900365, '180'],
    [900370, '000', 900370],
    [900371, '000', 900371],
    [900372, '000', 900372],
    [900373, '000', 900373],
    [900374, '000', 900374],
    [12500, '000', 12500],
  ];

  test('are all tried below', async () => {
    await bench.start();
    expect(
      ANSWERS.map(([amount]) => amount)
        .filter((amount) => amount !== 12500)
        .toSorted(),
    ).toEqual(BEHAVIOUR_AMOUNTS.toSorted());
  });

  test.each(ANSWERS)('%i of an authorization: %s, holding %s', async (amount, answered, held) => {
    await bench.start();
    const sent = composed('Authorize', amount);
    // Late by design means late for a wait of 100 ms.
    const answerMs = answered === 'Silent Time' ? 100 : 3_000;
    expect(await bench.outcomeOf(sent, answerMs)).toBe(answered);
    expect(bench.books(sent)).toEqual(held === undefined ? undefined : [held, 0, 0]);
  });

  test('900306 comes after all, 900307 again, 900308 otherwise, 900323 approved', async () => {
    await bench.start();
    expect(await bench.outcomeOf(composed('Authorize', 900306), 100)).toBe('Silent Time');
    await until(() => bench.heard.late.length === 1);
    await bench.ask(composed('Authorize', 900307));
    await until(() => bench.heard.late.length === 2);
    expect(bench.heard.faults).toEqual([]);
    await bench.ask(composed('Authorize', 900308));
    await until(() => bench.heard.late.length === 3);
    expect(bench.heard.faults).toEqual(['two answers: type 1110']);
    await bench.ask(composed('Authorize', 900323));
    await until(() => bench.heard.late.length === 4);
    expect(bench.heard.late.map(({ fields }) => fields.actionCode)).toEqual(['000', '000', '100', '000']);
  });

  test('900317 lets no other answer into the middle of its own', async () => {
    await bench.start();
    const amounts = [900317, 12_500, 900320, 900317, 900351];
    const outcomes = amounts.map((amount) => bench.outcomeOf(composed('Authorize', amount)));
    expect(await Promise.all(outcomes)).toEqual(['000', '000', '002', '000', '100']);
  });

  test('900316 and 900324 end the line; after the first no sign-on is taken', async () => {
    await bench.start();
    await bench.ask(composed('Authorize', 900324));
    await until(() => bench.heard.states.filter((state) => state === 'Ready').length === 2);
    await bench.ask(composed('Authorize', 900316));
    await until(() => bench.heard.states.at(-1) === 'SigningOn');
    expect(bench.link.ready()).toBe(0);
  });

  test('900315 answers no echo any more', async () => {
    await bench.start();
    await until(() => bench.link.ready() === 1);
    expect(await bench.link.echo()).toBeGreaterThan(0);
    await bench.relink({ echoMs: 20, limits: { networkMs: 200, firstPauseMs: 5 } });
    await bench.ask(composed('Authorize', 900315));
    await until(() => bench.heard.states.includes('Down'));
  });

  test('codes, 900304, 900305 and 900306 are also those of what follows a payment', async () => {
    await bench.start();
    const authorized = composed('Authorize', 9_000_000);
    await bench.ask(authorized);
    expect(await bench.outcomeOf(composed('Capture', 900361, { of: authorized, isOther: true }))).toBe('116');
    expect(await bench.outcomeOf(composed('Capture', 900305, { of: authorized, isOther: true }))).toBe('900');
    expect(await bench.outcomeOf(composed('Capture', 900304, { of: authorized, isOther: true }), 100)).toBe(
      'Silent Time',
    );
    const late = composed('Capture', 900306, { of: authorized, isOther: true });
    expect(await bench.outcomeOf(late, 100)).toBe('Silent Time');
    expect(await bench.outcomeOf(composed('Capture', 900320, { of: authorized, isOther: true }))).toBe('900');
    expect(await bench.outcomeOf(composed('Reversal', 900313, { of: authorized }))).toBe('110');
    expect(await bench.outcomeOf(composed('Cancel', 900391, { of: authorized, isOther: true }))).toBe('910');
    expect(bench.books(authorized)).toEqual([
      9_000_000 - 900305 - 900304 - 900306 - 900320,
      900305 + 900304 + 900306 + 900320,
      0,
    ]);
  });
});

describe('the books', () => {
  test('follow a payment to its end', async () => {
    await bench.start();
    const authorized = composed('Authorize', 12_500, {
      tags: { cvc: new Secret('123'), billingAddress: '0155 Storgata 1' },
    });
    expect(await bench.ask(authorized)).toMatchObject({
      answer: {
        fields: { approvalCode: expect.stringMatching(/^[0-9A-F]{6}$/) },
        tags: { cvcResult: 'M', addressResult: 'Y', schemeTransactionId: expect.stringMatching(/^[0-9]{15}$/) },
      },
    });
    const captured = composed('Capture', 10_000, { of: authorized, isOther: true });
    const asked = await bench.ask(captured);
    expect(asked).toMatchObject({
      answer: { fields: { actionCode: '900', acquirerReference: expect.stringMatching(/^7[0-9]{22}$/) } },
    });
    expect(bench.books(authorized)).toEqual([2_500, 10_000, 0]);
    expect(await bench.outcomeOf(composed('Cancel', 2_500, { of: authorized }))).toBe('400');
    const refunded = composed('Reversal', 4_000, { of: authorized });
    expect(await bench.outcomeOf(refunded)).toBe('000');
    expect(bench.books(authorized)).toEqual([0, 10_000, 4_000]);
    expect(await bench.outcomeOf(composed('TakeBack', 4_000, { of: refunded, reason: 'Silence' }))).toBe('400');
    expect(await bench.outcomeOf(composed('TakeBack', 10_000, { of: captured, reason: 'Silence' }))).toBe('400');
    expect(bench.books(authorized)).toEqual([10_000, 0, 0]);
  });

  test.each([
    ['a capture of more than is held', 'Capture', 12_501, '902'],
    ['a release of more than is held', 'Cancel', 12_501, '902'],
    ['a refund of what was not captured', 'Reversal', 1, '902'],
  ] as const)('refuse %s', async (_name, kind, amount, code) => {
    await bench.start();
    const authorized = composed('Authorize', 12_500);
    await bench.ask(authorized);
    expect(await bench.outcomeOf(composed(kind, amount, { of: authorized }))).toBe(code);
    expect(bench.books(authorized)).toEqual([12_500, 0, 0]);
  });

  test.each(['Capture', 'Cancel', 'Reversal', 'TakeBack'] as const)('do not know what a %s means', async (kind) => {
    await bench.start();
    expect(await bench.outcomeOf(composed(kind, 100, { of: composed('Authorize', 100), reason: 'Silence' }))).toBe(
      '914',
    );
  });

  test('have sales, credits and looks at a card', async () => {
    await bench.start();
    const sale = composed('Purchase', 700);
    expect(await bench.outcomeOf(sale)).toBe('000');
    expect(bench.books(sale)).toEqual([0, 700, 0]);
    expect(await bench.outcomeOf(composed('Credit', 300))).toBe('000');
    const look = composed('Verify', 0);
    expect(await bench.outcomeOf(look)).toBe('000');
    expect(bench.books(look)).toEqual([0, 0, 0]);
  });

  test('count a duplicate once, by its STAN and by its attempt', async () => {
    await bench.start();
    const sent = composed('Authorize', 12_500);
    const first = await bench.ask(sent);
    const second = await bench.ask(sent);
    expect(saidBy(second)).toEqual(saidBy(first));
    const again = composed('Authorize', 12_500, { tags: { attemptId: sent.attemptId } });
    expect(await bench.ask(again)).toMatchObject({ answer: { fields: { actionCode: '000' } } });
    expect(bench.host.acquirer.books.bookings()).toHaveLength(1);
    // A repeat of an advice has another type, and the same name.
    const capture = composed('Capture', 12_500, { of: sent });
    expect(await bench.outcomeOf(capture)).toBe('900');
    expect(await bench.outcomeOf({ ...capture, message: { ...capture.message, type: '1221' } })).toBe('900');
    expect(bench.books(sent)).toEqual([0, 12_500, 0]);
  });

  test('take back what was refused, and 900321 the fourth time; 900322 they never know', async () => {
    await bench.start();
    const refused = composed('Authorize', 900361);
    await bench.ask(refused);
    expect(await bench.outcomeOf(composed('TakeBack', 900361, { of: refused, reason: 'Unusable' }))).toBe('400');
    const stubborn = composed('Authorize', 900321);
    await bench.ask(stubborn);
    const outcomes: unknown[] = [];
    for (let turn = 0; turn < 4; turn++) {
      outcomes.push(await bench.outcomeOf(composed('TakeBack', 900321, { of: stubborn, reason: 'Late' }), 60));
    }
    expect(outcomes).toEqual(['Silent Time', 'Silent Time', 'Silent Time', '400']);
    expect(bench.books(stubborn)).toEqual([0, 0, 0]);
    const unknown = composed('Authorize', 900322);
    await bench.ask(unknown, 60);
    expect(await bench.outcomeOf(composed('TakeBack', 900322, { of: unknown, reason: 'Silence' }))).toBe('914');
  });
});

describe('a message is refused', () => {
  test.each([
    ['cardNumber', '2'],
    ['amount', '4'],
    ['pointOfService', '22'],
    ['merchantCategory', '26'],
    ['retrievalReference', '37'],
    ['merchantPlace', '43'],
    ['currency', '49'],
  ] as const)('without %s: 904, with the number of the field', async (name, number) => {
    await bench.start();
    const sent = composed('Authorize', 100);
    const { [name]: _, ...fields } = sent.message.fields;
    const asked = await bench.ask({ ...sent, message: { ...sent.message, fields } });
    // An answer without what the ask left out is usable, but for its own fields.
    expect(asked).toMatchObject({ answer: { fields: { actionCode: '904', additionalText: number } } });
  });

  test.each([
    [{ attemptId: 'x' }, '48'],
    [{ initiator: 'XXX' }, '48'],
    [{ partialApproval: '1' }, '48'],
  ])('with tags %j', async (tags, number) => {
    await bench.start();
    expect(await bench.ask(composed('Authorize', 100, { tags }))).toMatchObject({
      answer: { fields: { actionCode: '904', additionalText: number } },
    });
  });

  test('with another card than a test card, or one that has expired', async () => {
    await bench.start();
    const outcome = (fields: object) => bench.outcomeOf(composed('Authorize', 100, { fields }));
    expect(await outcome({ cardNumber: new Secret('4925000000000005') })).toBe('111');
    // The first card of our own range: no acquirer's.
    expect(await outcome({ cardNumber: new Secret('9578010000000010') })).toBe('118');
    expect(await outcome({ expiry: '2001' })).toBe('101');
  });

  test('by the merchant without a scheme id that is known', async () => {
    await bench.start();
    const first = await bench.ask(composed('Authorize', 100, { tags: { initiator: 'CRF' } }));
    const id = first.outcome === 'Answered' ? first.answer.tags.schemeTransactionId : undefined;
    const outcome = (schemeTransactionId: string | undefined) =>
      bench.outcomeOf(composed('Authorize', 100, { tags: { initiator: 'MRS', schemeTransactionId } as never }));
    expect(await outcome(undefined)).toBe('180');
    expect(await outcome('306068365741221')).toBe('180');
    expect(await outcome(String(id))).toBe('000');
  });

  test('with an authentication value that no test directory server made', async () => {
    await bench.start();
    const dsTransactionId = 'c4e59ceb-a382-4d6a-bc87-385d591fa09d';
    const outcome = (amount: number, value: string) =>
      bench.outcomeOf(
        composed('Authorize', amount, {
          tags: { eci: '05', transStatus: 'Y', dsTransactionId, authenticationValue: new Secret(value) },
        }),
      );
    expect(await outcome(100, 'AAECAwQFBgcICQoLDA0ODxAREhM=')).toBe('129');
    expect(await outcome(900365, testAuthenticationValue(dsTransactionId))).toBe('000');
  });
});
