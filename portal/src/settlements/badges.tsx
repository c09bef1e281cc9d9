import type { Dispute, Settlement, SettlementDifference } from '../../../client/kontor.generated.ts';
import { type ShownState, StateBadge } from '../parts/badge.tsx';
import { useWords, type WordKey } from '../words/words.tsx';

const SETTLEMENT_STATES: Readonly<Record<Settlement['state'], ShownState>> = {
  Closed: ['dayClosed', 'neutral'],
  Reconciled: ['dayReconciled', 'accent'],
  Different: ['dayDifferent', 'bad'],
  Settled: ['daySettled', 'good'],
};

/** How far a closed day has come. */
export function SettlementBadge({ state }: Pick<Settlement, 'state'>) {
  return <StateBadge shown={SETTLEMENT_STATES[state]} />;
}

const DISPUTE_STATES: Readonly<Record<Dispute['state'], ShownState>> = {
  Open: ['disputeOpen', 'warn'],
  Accepted: ['disputeAccepted', 'neutral'],
  Represented: ['disputeRepresented', 'accent'],
  Won: ['disputeWon', 'good'],
  Lost: ['disputeLost', 'bad'],
  Withdrawn: ['disputeWithdrawn', 'neutral'],
};

/** How a dispute stands. */
export function DisputeBadge({ state }: Pick<Dispute, 'state'>) {
  return <StateBadge shown={DISPUTE_STATES[state]} />;
}

const STAGES: Readonly<Record<Dispute['stage'], WordKey>> = {
  Retrieval: 'stageRetrieval',
  Chargeback: 'stageChargeback',
  PreArbitration: 'stagePreArbitration',
  Arbitration: 'stageArbitration',
};

/** How far a dispute has come, in words. */
export function StageName({ stage }: Pick<Dispute, 'stage'>) {
  const { t } = useWords();
  return <span title={stage}>{t(STAGES[stage])}</span>;
}

const CATEGORIES: Readonly<Record<NonNullable<Dispute['category']>, WordKey>> = {
  Fraud: 'reasonFraud',
  Authorization: 'reasonAuthorization',
  Processing: 'reasonProcessing',
  Consumer: 'reasonConsumer',
};

/** Why money was asked back: the kind of reason, and its code as it came. */
export function CategoryName({ category, reasonCode }: Pick<Dispute, 'category' | 'reasonCode'>) {
  const { t } = useWords();
  const word = category === undefined ? '' : t(CATEGORIES[category]);
  return (
    <span>
      {word} {reasonCode !== undefined && <span className="reference">{reasonCode}</span>}
    </span>
  );
}

/** The name of each kind of difference. */
export const DIFFERENCES: Readonly<Record<SettlementDifference['kind'], WordKey>> = {
  unknownToUs: 'differsUnknown',
  takenThoughRefused: 'differsTakenThoughRefused',
  amountDiffers: 'differsAmount',
  currencyDiffers: 'differsCurrency',
  merchantDiffers: 'differsMerchant',
  twice: 'differsTwice',
  missingAtAcquirer: 'differsMissing',
  totalsDiffer: 'differsTotals',
  abandoned: 'differsAbandoned',
  feeAboveZero: 'differsFee',
};

/** What kind of difference it is, in words. */
export function DifferenceName({ kind }: Pick<SettlementDifference, 'kind'>) {
  const { t } = useWords();
  return <span title={kind}>{t(DIFFERENCES[kind])}</span>;
}

const DIFFERENCE_STATES: Readonly<Record<SettlementDifference['state'], ShownState>> = {
  Open: ['differenceOpen', 'warn'],
  Cured: ['differenceCured', 'good'],
  Resolved: ['differenceResolved', 'neutral'],
  Withdrawn: ['differenceWithdrawn', 'neutral'],
};

/** Whether a difference is still open. */
export function DifferenceBadge({ state }: Pick<SettlementDifference, 'state'>) {
  return <StateBadge shown={DIFFERENCE_STATES[state]} />;
}
