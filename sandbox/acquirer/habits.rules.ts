import type { Dialect, FieldName, TagName } from '../../src/iso8583/dialects/dialect.types.ts';
import type { Behaviour } from './behaviour.rules.ts';
import type { HostMessage } from './host-frames.ts';
import { withBlanks } from './test-values.ts';

/** Fields that other hosts add, with what they might say. */
const ADDED: Readonly<Record<number, string>> = {
  5: '000000012500',
  15: '260310',
  60: 'national',
  62: 'private use 62',
  63: 'BATCH0042',
};
const LEFT_OUT: readonly FieldName[] = [
  'processingCode',
  'amount',
  'transmittedAt',
  'acquiringInstitution',
  'forwardingInstitution',
  'retrievalReference',
  'terminalId',
  'merchantId',
  'currency',
];

/** An answer as a host with this habit gives it. */
export function asHabit(does: Behaviour | undefined, answer: HostMessage, { fields: forms }: Dialect): HostMessage {
  const approvalCode = answer.fields.approvalCode ?? '';
  const length = forms.approvalCode !== undefined && 'length' in forms.approvalCode ? forms.approvalCode.length : 6;
  switch (does) {
    case 'OtherFields':
      return { ...answer, others: ADDED };
    case 'FewEchoes':
      return without(answer, LEFT_OUT);
    case 'NoEchoes':
      return without(answer, [...LEFT_OUT, 'sentAt']);
    case 'OtherTagOrder':
      return { ...answer, hasTagsBackwards: true };
    case 'BlankCode':
      return withFields(answer, { approvalCode: ' '.repeat(length) });
    case 'ShortCode':
      return withFields(answer, { approvalCode: `  ${approvalCode.slice(0, 3)}` });
    case 'NoCode':
      return without(answer, ['approvalCode']);
    case 'OtherCurrency':
      return withFields(answer, { currency: answer.fields.currency === '752' ? '578' : '752' });
    case 'LettersForDigits':
      return withFields(answer, { currency: 'NOK' });
    case 'PartialOfUnknown':
      return without(answer, ['amount']);
    case 'LongTag':
      return { ...answer, tags: { ...answer.tags, schemeCode: '000' } };
    case 'TagTwice':
      return { ...answer, tags: { ...answer.tags, cvcResult: 'M' }, repeatsTag: 'cvcResult' };
    case 'PaddedTags':
      return { ...answer, tags: { cvcResult: 'M', ...answer.tags }, tagPadding: ' '.repeat(40) };
    case 'ControlCharacters':
      return withFields(answer, { additionalText: 'THANK YOU\r\n\0' });
    case 'NoSchemeId':
      return withTag(answer, 'schemeTransactionId', undefined);
    case 'BlanksInSchemeId':
      return withTag(answer, 'schemeTransactionId', withBlanks(answer.tags.schemeTransactionId ?? ''));
    case 'WrongCvc':
      return withTag(answer, 'cvcResult', 'N');
    case 'WrongAddress':
      return withTag(answer, 'addressResult', 'N');
    default:
      return answer;
  }
}

/** With another value in a tag, where the answer has it; undefined leaves it out. */
function withTag(answer: HostMessage, name: TagName, value: string | undefined): HostMessage {
  const { [name]: before, ...others } = answer.tags;
  if (before === undefined) return answer;
  return { ...answer, tags: value === undefined ? others : { ...others, [name]: value } };
}

function withFields(answer: HostMessage, fields: HostMessage['fields']): HostMessage {
  return { ...answer, fields: { ...answer.fields, ...fields } };
}

function without(answer: HostMessage, names: readonly FieldName[]): HostMessage {
  const fields = { ...answer.fields };
  for (const name of names) delete fields[name];
  return { ...answer, fields };
}
