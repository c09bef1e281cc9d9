/** How some hosts answer: other fields, fewer of them, other forms. */
export const HABIT_BEHAVIOURS = [
  'OtherFields',
  'FewEchoes',
  'NoEchoes',
  'OtherTagOrder',
  'BlankCode',
  'ShortCode',
  'NoCode',
  'OtherCurrency',
  'LettersForDigits',
  'PartialOfUnknown',
  'EmptyFrames',
  'LongTag',
  'TagTwice',
  'PaddedTags',
  'ControlCharacters',
  'NoSchemeId',
  'BlanksInSchemeId',
  'WrongCvc',
  'WrongAddress',
] as const;

/** What the test acquirer does with a message instead of answering it well. */
export const BEHAVIOURS = [
  'NoAnswer',
  'Slow',
  'TooLate',
  'Twice',
  'TwiceDifferent',
  'Garbage',
  'HalfAnswer',
  'CloseWithoutAnswer',
  'OtherStan',
  'HugeLength',
  'NoMoreEchoes',
  'NoSignOn',
  'ByteByByte',
  'GluedToEcho',
  'OtherAmount',
  'Partial',
  'TakeBackSilent',
  'TakeBackUnknown',
  'InProgress',
  'SignOff',
  'Malfunction',
  'NeedsAuthentication',
  'LineMissing',
  'LineDiffers',
  'LineTwice',
  'Chargeback',
  'TotalsDiffer',
  'CutOver',
  'CutOverNoDate',
  'CutOverOtherYear',
  ...HABIT_BEHAVIOURS,
  'CardReplaced',
  'CardRenewed',
  'CardClosed',
  'CardUnreadable',
  'RefuseRepeat',
  'OtherCode',
  'Lost',
  'Refuse',
] as const;

/** Names what it does. */
export type Behaviour = (typeof BEHAVIOURS)[number];

/** What is done, and with which action code where it refuses. */
export interface Planned {
  readonly does: Behaviour;
  readonly code?: string;
}

const refuse = (code: string): Planned => ({ does: 'Refuse', code });

/** By the amount of the message, in minor units. Every other amount is answered well. */
const BY_AMOUNT: Readonly<Record<number, Planned>> = {
  900313: refuse('110'),
  900334: refuse('102'),
  900343: refuse('209'),
  900351: refuse('100'),
  900354: refuse('101'),
  900359: refuse('202'),
  900361: refuse('116'),
  900362: refuse('104'),
  900391: refuse('907'),
  900304: { does: 'NoAnswer' },
  900305: { does: 'Slow' },
  900306: { does: 'TooLate' },
  900307: { does: 'Twice' },
  900308: { does: 'TwiceDifferent' },
  900309: { does: 'Garbage' },
  900310: { does: 'HalfAnswer' },
  900311: { does: 'CloseWithoutAnswer' },
  900312: { does: 'OtherStan' },
  900314: { does: 'HugeLength' },
  900315: { does: 'NoMoreEchoes' },
  900316: { does: 'NoSignOn' },
  900317: { does: 'ByteByByte' },
  900318: { does: 'GluedToEcho' },
  900319: { does: 'OtherAmount' },
  900320: { does: 'Partial', code: '002' },
  900321: { does: 'TakeBackSilent' },
  900322: { does: 'TakeBackUnknown' },
  900323: { does: 'InProgress', code: '923' },
  900324: { does: 'SignOff' },
  900325: { does: 'Malfunction', code: '909' },
  900326: { does: 'OtherFields' },
  900327: { does: 'FewEchoes' },
  900328: { does: 'OtherTagOrder' },
  900329: { does: 'BlankCode' },
  900330: { does: 'ShortCode' },
  900331: { does: 'EmptyFrames' },
  900332: { does: 'NoEchoes' },
  900333: { does: 'LettersForDigits' },
  900335: { does: 'OtherCurrency' },
  900336: { does: 'NoCode' },
  900337: { does: 'PartialOfUnknown', code: '002' },
  900338: { does: 'LongTag' },
  900339: { does: 'TagTwice' },
  900340: { does: 'PaddedTags' },
  900341: { does: 'ControlCharacters' },
  900342: { does: 'CutOver' },
  900344: { does: 'CutOverNoDate' },
  900345: { does: 'CutOverOtherYear' },
  900346: { does: 'NoSchemeId' },
  900347: { does: 'BlanksInSchemeId' },
  900348: { does: 'WrongCvc' },
  900349: { does: 'WrongAddress' },
  900350: { does: 'CardReplaced' },
  900352: { does: 'CardRenewed' },
  900353: { does: 'CardClosed', code: '100' },
  900355: { does: 'CardUnreadable' },
  900365: { does: 'NeedsAuthentication', code: '180' },
  900370: { does: 'LineMissing' },
  900371: { does: 'LineDiffers' },
  900372: { does: 'LineTwice' },
  900373: { does: 'Chargeback' },
  900374: { does: 'TotalsDiffer' },
};

/** Of these the table says: also of follow-ups. */
const OF_FOLLOW_UPS: readonly Behaviour[] = ['Refuse', 'NoAnswer', 'Slow', 'TooLate', 'BlankCode', 'NoCode'];

/** How an answer is written, whatever it is to; of what follows a payment by a script alone. */
export function isHabit(does: Behaviour | undefined): does is (typeof HABIT_BEHAVIOURS)[number] | 'ByteByByte' {
  return does === 'ByteByByte' || HABIT_BEHAVIOURS.some((one) => one === does);
}

/** To an advice 907 says that it is to be sent again; 910 refuses it for the same reason. */
const REFUSED_ADVICES: Readonly<Record<string, string>> = { '907': '910' };

/** What the table says of a message; undefined: answer it well. */
export function behaviourOf(amountMinor: number, isFollowUp: boolean): Planned | undefined {
  const planned = Object.hasOwn(BY_AMOUNT, amountMinor) ? BY_AMOUNT[amountMinor] : undefined;
  if (planned === undefined || !isFollowUp) return planned;
  if (!OF_FOLLOW_UPS.includes(planned.does)) return undefined;
  const code = planned.code && REFUSED_ADVICES[planned.code];
  return code === undefined ? planned : { ...planned, code };
}

/** The table, for the documentation and its test. */
export const BEHAVIOUR_AMOUNTS: readonly number[] = Object.keys(BY_AMOUNT).map(Number);
