import type { AnswerOf } from '../api/endpoints.types.ts';
import type { previewSettlementFile } from '../api/operations.generated.ts';
import { useWords, type WordKey } from '../words/words.tsx';

/** Why a file, a batch or a line of it is refused. */
type Fault = NonNullable<AnswerOf<typeof previewSettlementFile>['reason']>;

const WORDS: Readonly<Record<Fault['code'], WordKey>> = {
  openQuotes: 'faultOpenQuotes',
  cellCount: 'faultCellCount',
  unknownType: 'faultUnknownType',
  unknownCurrency: 'faultUnknownCurrency',
  noAmount: 'faultNoAmount',
  netDiffers: 'faultNetDiffers',
  tooLong: 'faultTooLong',
  controlCharacters: 'faultControlCharacters',
  shortenedNumber: 'faultShortenedNumber',
  emptyCell: 'faultEmptyCell',
  currencyMissing: 'faultCurrencyMissing',
  sameCurrencyDiffers: 'faultSameCurrencyDiffers',
  signDiffers: 'faultSignDiffers',
  noRate: 'faultNoRate',
  noDay: 'faultNoDay',
  notFourDigits: 'faultNotFourDigits',
  currencyChanges: 'faultCurrencyChanges',
  sumsTooLarge: 'faultSumsTooLarge',
  noPayout: 'faultNoPayout',
  sumsDiffer: 'faultSumsDiffer',
  anotherBatch: 'faultAnotherBatch',
  wasWithdrawn: 'faultWasWithdrawn',
  noAgreement: 'faultNoAgreement',
  severalPayees: 'faultSeveralPayees',
  otherEncoding: 'faultOtherEncoding',
  notUtf8: 'faultNotUtf8',
  lineTooLong: 'faultLineTooLong',
  emptyFile: 'faultEmptyFile',
  columnsMissing: 'faultColumnsMissing',
  cardNumber: 'faultCardNumber',
  tooManyBatches: 'faultTooManyBatches',
  lineTwice: 'faultLineTwice',
  fileChanged: 'faultFileChanged',
};

interface FileFaultProps {
  readonly fault: Fault;
  /** Where the line stands beside it already. */
  readonly isOfLine?: boolean;
}

/** Why a file, a batch or a line of it is refused, and where. */
export function FileFault({ fault, isOfLine = false }: FileFaultProps) {
  const { t, number } = useWords();
  const { code, line, column, value } = fault;
  return (
    <span>
      {line !== null && !isOfLine && `${t('fileLine')} ${number(line)}: `}
      {column !== null && (
        <>
          <span className="mono">{column}</span>:{' '}
        </>
      )}
      {t(WORDS[code], { value: value ?? '' })}
    </span>
  );
}

/** Of a file of which nothing is taken. */
export function RefusedFile({ fault }: { readonly fault: Fault }) {
  const { t } = useWords();
  return (
    <div className="note" data-tone="bad" role="alert">
      <strong>{t('fileRefused')}</strong>
      <p>
        <FileFault fault={fault} />
      </p>
    </div>
  );
}
