import { HABITS, type HostHabit } from '../../../iso8583/messages.types.ts';
import { advice, type Finding, ok } from '../../../kit/findings.ts';

/** What each habit is called, before the numbers of its fields. */
const WORDS: Readonly<Record<HostHabit['habit'], string>> = {
  OtherField: 'sends fields that the dialect does not name',
  NotEchoed: 'does not repeat fields',
  Unreadable: 'sends fields in another form than the dialect says',
  TagOrder: 'sends tags of the private data in another order',
  TagLength: 'sends tags of the private data in another length, which are left out',
  TagTwice: 'sends a tag of the private data twice, of which the first counts',
  TagPadding: 'fills the private data up behind its tags',
  BlankCode: 'sends blanks in the approval code',
  NoSchemeId:
    'approves payments that store a card without a scheme transaction id, which later payments with it have to name',
  TwoAnswers: 'answers a request twice',
  EmptyFrame: 'sends frames of length 0',
  InPieces: 'writes frames in many pieces',
};
/** What a payment may fail by. */
const HARMFUL: readonly HostHabit['habit'][] = ['Unreadable', 'TagLength', 'NoSchemeId', 'TwoAnswers'];

/** Says which habits an acquirer's host has shown. */
export function describeHabits(acquirer: string, seen: readonly HostHabit[]): readonly Finding[] {
  const phrases = HABITS.flatMap((habit) => {
    const fields = seen.filter((one) => one.habit === habit).map(({ field }) => field);
    if (fields.length === 0) return [];
    const numbers = fields.filter((field) => field > 0).toSorted((a, b) => a - b);
    return [{ habit, phrase: numbers.length === 0 ? WORDS[habit] : `${WORDS[habit]} (${numbers.join(', ')})` }];
  });
  const listed = (isHarmful: boolean) =>
    phrases.filter(({ habit }) => HARMFUL.includes(habit) === isHarmful).map(({ phrase }) => phrase);
  const harmless = listed(false);
  const harmful = listed(true);
  return [
    ...(harmless.length === 0 ? [] : [ok(`Acquirer ${acquirer}: its host ${harmless.join('; ')}. Kontor takes this.`)]),
    ...(harmful.length === 0
      ? []
      : [advice(`Acquirer ${acquirer}: its host ${harmful.join('; ')}. Ask the acquirer: payments may fail by this.`)]),
  ];
}
