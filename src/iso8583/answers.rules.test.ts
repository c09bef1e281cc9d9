import { describe, expect, test } from 'vitest';
import { adviceOutcome, habitsIn, isAnswerTo, isUsable, requestOutcome, takeBackOutcome } from './answers.rules.ts';
import { answerTypeOf, compose } from './compose.rules.ts';
import { ECHOES } from './dialects/dialect.types.ts';
import { ISO93 } from './dialects/iso93.rules.ts';
import type { Message } from './messages.types.ts';

const { actionCodes: CODES } = ISO93;

const ASK: Message = {
  type: '1100',
  fields: {
    amount: '12500',
    transmittedAt: '0309101528',
    stan: '000101',
    sentAt: '260309101528',
    acquiringInstitution: '957800',
    forwardingInstitution: '957801',
    retrievalReference: '606810000101',
    terminalId: 'WEB00001',
    merchantId: '000012345678901',
    currency: '578',
  },
  tags: {},
};
const answer = (fields: Message['fields'] = {}, tags: Message['tags'] = {}): Message => ({
  type: '1110',
  fields: { ...ASK.fields, amount: '000000012500', actionCode: '000', approvalCode: 'A1B2C3', ...fields },
  tags,
});
const without = (name: keyof Message['fields']): Message => {
  const { [name]: _, ...fields } = answer().fields;
  return { type: '1110', fields, tags: {} };
};

/** The table of the codes of requests: the code, and what it means. */
const REQUESTS: [codes: string, outcome: string, problem?: string, retry?: string][] = [
  ['000 001 003 007', 'Approved'],
  ['002 006', 'PartiallyApproved', 'acquirerinsufficientfunds', 'NewData'],
  ['100 104 105 106 107 108 112 117 119 120 122 123 124 126 127 128', 'Declined', 'carddeclined', 'Later'],
  ['111 114 118 200 203 204 205 206 207', 'Declined', 'carddeclined', 'Never'],
  ['101 125 201', 'Declined', 'acquirercardexpired', 'NewData'],
  ['102 129 202 210', 'Declined', 'acquirerpossiblefraud', 'Never'],
  ['103 109 113 115 902 904 905 908 916 917 918 919 920 921 922', 'Declined', 'acquirererror', 'Later'],
  ['110 121', 'Declined', 'acquirerinvalidamount', 'NewData'],
  ['116', 'Declined', 'acquirerinsufficientfunds', 'Later'],
  ['180', 'AuthenticationRequired'],
  ['208 209', 'Declined', 'acquirercardstolen', 'Never'],
  ['903 906 907 909 910 912', 'Declined', 'acquirergatewayerror', 'Later'],
  ['911 913 914 923 004 130 211 300 400 500 800 999', 'Unknown'],
];

describe('the answer to a request', () => {
  test.each(REQUESTS)('%s: %s', (codes, outcome, problem, retry) => {
    for (const actionCode of codes.split(' ')) {
      const expected = problem === undefined ? { outcome } : { outcome, problem, retry };
      expect(requestOutcome(CODES, answer({ actionCode }), false), actionCode).toMatchObject(expected);
    }
  });

  test('is taken back where a part was approved, and after 909', () => {
    const takenBack = Array.from({ length: 1000 }, (_, code) => String(code).padStart(3, '0')).filter((actionCode) => {
      const outcome = requestOutcome(CODES, answer({ actionCode }), false);
      return 'takeBack' in outcome && outcome.takeBack;
    });
    expect(takenBack).toEqual(['002', '006', '909']);
  });

  test.each([
    ['1A', false, 'AuthenticationRequired'],
    ['65', true, 'AuthenticationRequired'],
    ['65', false, 'Declined'],
    ['05', true, 'Declined'],
  ])('with scheme code %s (Mastercard: %s) is %s', (schemeCode, isMastercard, outcome) => {
    const declined = answer({ actionCode: '100' }, { schemeCode });
    expect(requestOutcome(CODES, declined, isMastercard).outcome).toBe(outcome);
    // Beside an approval it says nothing.
    expect(requestOutcome(CODES, answer({}, { schemeCode }), isMastercard).outcome).toBe('Approved');
  });

  test.each(['R0', 'R1', 'R3', '04', '07', '41', '43'])(
    'with scheme code %s is final, whatever is advised',
    (schemeCode) => {
      const outcome = requestOutcome(CODES, answer({ actionCode: '100' }, { schemeCode, adviceCode: '24' }), false);
      expect(outcome).toEqual({ outcome: 'Declined', problem: 'carddeclined', retry: 'Never', takeBack: false });
    },
  );

  test.each([
    ['01', 'NewData', undefined],
    ['02', 'Later', undefined],
    ['03', 'Never', undefined],
    ['21', 'Never', undefined],
    ['99', 'Never', undefined],
    ['24', 'Later', 1],
    ['25', 'Later', 24],
    ['26', 'Later', 48],
    ['27', 'Later', 96],
    ['28', 'Later', 144],
    ['29', 'Later', 192],
    ['30', 'Later', 240],
    ['constructor', 'Later', undefined],
  ])('with advice code %s may be tried %s (%s hours)', (adviceCode, retry, afterHours) => {
    const outcome = requestOutcome(CODES, answer({ actionCode: '116' }, { adviceCode }), false);
    expect(outcome).toMatchObject({ problem: 'acquirerinsufficientfunds', retry });
    expect('afterHours' in outcome ? outcome.afterHours : undefined).toBe(afterHours);
  });
});

test.each([
  ['000 900 901', 'Acknowledged', 'TakenBack Repeat'],
  ['001 003 007', 'Acknowledged', 'TakenBack'],
  ['906 907 909 911 923', 'Silence', 'Repeat'],
  ['002 180 400 913 999', 'Silence', 'TakenBack Repeat'],
  ['902 904 914 100', 'Declined', 'UnknownOriginal Repeat'],
])('the answer %s to an advice is %s', (codes, outcome, takeBack) => {
  for (const actionCode of codes.split(' ')) {
    expect(adviceOutcome(CODES, answer({ actionCode }), false)).toBe(outcome);
    expect(takeBack).toContain(takeBackOutcome(CODES, answer({ actionCode }), false));
  }
});

test.each([
  ['000 900 901 001 003', 'Acknowledged', 'TakenBack Repeat'],
  ['913', 'Acknowledged', 'TakenBack'],
  ['906 907 909 911 923', 'Silence', 'Repeat'],
  ['902 904 914 110 100', 'Silence', 'UnknownOriginal Repeat'],
])(
  'the answer %s to a repeat of an advice is %s: a refusal says nothing of the first message',
  (codes, outcome, takeBack) => {
    for (const actionCode of codes.split(' ')) {
      expect(adviceOutcome(CODES, answer({ actionCode }), true), actionCode).toBe(outcome);
      expect(takeBack, actionCode).toContain(takeBackOutcome(CODES, answer({ actionCode }), true));
    }
  },
);

test('a duplicate says nothing of a first message', () => {
  expect(adviceOutcome(CODES, answer({ actionCode: '913' }), false)).toBe('Silence');
  expect(takeBackOutcome(CODES, answer({ actionCode: '913' }), false)).toBe('Repeat');
});

test('a code that may come after the approval refuses no advice', () => {
  const codes = { ...CODES, advices: { ...CODES.advices, silence: [] } };
  expect(adviceOutcome(codes, answer({ actionCode: '909' }), false)).toBe('Silence');
  expect(adviceOutcome(codes, answer({ actionCode: '907' }), false)).toBe('Declined');
});

test('a take-back is done with 000, 400, 900 and 901, and not known with 914', () => {
  const outcomes = ['000', '400', '900', '901', '914', '909', '100'].map((actionCode) =>
    takeBackOutcome(CODES, answer({ actionCode }), false),
  );
  expect(outcomes).toEqual([
    ...['TakenBack', 'TakenBack', 'TakenBack', 'TakenBack', 'UnknownOriginal', 'Repeat', 'Repeat'],
  ]);
});

describe('an answer', () => {
  test.each([
    ['another type', { ...answer(), type: '1210' }],
    ['another STAN', answer({ stan: '000102' })],
    ['another time', answer({ sentAt: '260309101529' })],
    ['another terminal', answer({ terminalId: 'WEB00002' })],
  ])('with %s belongs to another ask', (_name, other) => {
    expect(isAnswerTo(ASK, other)).toBe(false);
  });

  test('without terminal belongs to the ask', () => {
    expect(isAnswerTo(ASK, answer())).toBe(true);
    expect(isAnswerTo(ASK, without('terminalId'))).toBe(true);
  });

  test.each(['actionCode', 'approvalCode'] as const)('without %s is of no use', (name) => {
    expect(isUsable(ISO93, ASK, answer())).toBe(true);
    expect(isUsable(ISO93, ASK, without(name))).toBe(false);
  });

  test.each(ECHOES)('without %s is of use, unless the dialect wants it', (name) => {
    expect(isUsable(ISO93, ASK, without(name))).toBe(true);
    expect(isUsable({ ...ISO93, mustEcho: [name] }, ASK, without(name))).toBe(false);
    expect(habitsIn(ISO93, ASK, without(name))).toEqual([{ habit: 'NotEchoed', field: ISO93.fields[name].number }]);
  });

  test.each([
    [['transmittedAt', 'sentAt'], true],
    [['transmittedAt', 'retrievalReference'], true],
    [['sentAt', 'retrievalReference'], true],
    [['transmittedAt', 'sentAt', 'retrievalReference'], false],
  ] as const)('without %s beside the STAN: of use is %s', (names, isOfUse) => {
    const fields = Object.entries(answer().fields).filter(([name]) => !(names as readonly string[]).includes(name));
    expect(isUsable(ISO93, ASK, { type: '1110', fields: Object.fromEntries(fields), tags: {} })).toBe(isOfUse);
  });

  test('with nothing but STAN, time, code and approval is of use', () => {
    const { stan, sentAt, actionCode, approvalCode } = answer().fields;
    const bare = { type: '1110', fields: { stan, sentAt, actionCode, approvalCode }, tags: {} } as Message;
    expect([isAnswerTo(ASK, bare), isUsable(ISO93, ASK, bare)]).toEqual([true, true]);
  });

  test.each(['', '   ', '      '])('with the blank approval code %j is of no use', (approvalCode) => {
    expect(isUsable(ISO93, ASK, answer({ approvalCode }))).toBe(false);
    expect(habitsIn(ISO93, ASK, answer({ approvalCode }))).toEqual([{ habit: 'BlankCode', field: 38 }]);
  });

  test.each([
    ['CRF', '000', {}, ['NoSchemeId']],
    ['CUF', '000', { schemeTransactionId: '  ' }, ['NoSchemeId']],
    ['CRF', '000', { schemeTransactionId: '1' }, []],
    ['CRF', '100', {}, []],
    ['CCF', '000', {}, []],
    ['MRS', '000', {}, []],
  ])('to the initiator %s with %s and %j: habits %j', (initiator, actionCode, tags, habits) => {
    const ask = { ...ASK, tags: { ...ASK.tags, initiator } };
    const found = habitsIn(ISO93, ask, { ...answer({ actionCode }), tags });
    expect(found.map(({ habit }) => habit)).toEqual(habits);
  });

  test.each(['A1B2', '  A1B2'])('with the short approval code %j is of use', (approvalCode) => {
    expect(isUsable(ISO93, ASK, answer({ approvalCode }))).toBe(true);
    expect(habitsIn(ISO93, ASK, answer({ approvalCode }))).toEqual([{ habit: 'BlankCode', field: 38 }]);
  });

  test.each([
    [4, false],
    [37, false],
    [38, false],
    [39, false],
    [48, false],
    [49, false],
    // Nothing looks at it.
    [26, true],
  ])('with an unreadable field %i: of use is %s', (field, isOfUse) => {
    const notes = { others: [], unreadable: [field], tagHabits: [] };
    expect(isUsable(ISO93, ASK, { ...answer(), notes })).toBe(isOfUse);
    expect(habitsIn(ISO93, ASK, { ...answer(), notes })).toEqual([{ habit: 'Unreadable', field }]);
  });

  test.each([
    ['Authorize', false],
    ['Purchase', false],
    ['Verify', true],
    ['Credit', true],
    ['Reversal', true],
  ] as const)('that approves a message for %s without a code, or with blanks, is of use: %s', (kind, isOfUse) => {
    const ask = compose(ISO93, { kind, fields: ASK.fields });
    const type = answerTypeOf(ask.type);
    const notes = { others: [], unreadable: [38], tagHabits: [] };
    for (const other of [without('approvalCode'), answer({ approvalCode: '      ' }), { ...answer(), notes }]) {
      expect(isUsable(ISO93, ask, { ...other, type })).toBe(isOfUse);
    }
    expect(isUsable(ISO93, ask, { ...answer(), type })).toBe(true);
  });

  test('without approval code is of use where nothing is approved', () => {
    const declined = { ...without('approvalCode').fields, actionCode: '116' };
    expect(isUsable(ISO93, ASK, { type: '1110', fields: declined, tags: {} })).toBe(true);
  });

  test.each([
    ['amount', '12501'],
    ['amount', '12499'],
    ['retrievalReference', '606810000102'],
    ['merchantId', '000012345678902'],
    ['acquiringInstitution', '957801'],
    ['forwardingInstitution', '957802'],
    ['currency', '752'],
  ] as const)('with another %s is of no use', (name, value) => {
    expect(isUsable(ISO93, ASK, answer({ [name]: value }))).toBe(false);
  });

  test('that fills numbers up with zeros is of use', () => {
    expect(isUsable(ISO93, ASK, answer({ amount: '12500', acquiringInstitution: '00000957800' }))).toBe(true);
  });

  test('that approves a part says the part', () => {
    const { fields } = without('amount');
    expect(isUsable(ISO93, ASK, { type: '1110', fields: { ...fields, actionCode: '002' }, tags: {} })).toBe(false);
    expect(isUsable(ISO93, ASK, answer({ actionCode: '002', amount: '6250' }))).toBe(true);
    expect(isUsable(ISO93, ASK, answer({ actionCode: '002', amount: '12501' }))).toBe(false);
    expect(isUsable(ISO93, ASK, answer({ actionCode: '002', amount: '0' }))).toBe(false);
  });
});
