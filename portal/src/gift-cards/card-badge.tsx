import type { ListedGiftCard } from '../../../client/portal.generated.ts';
import { type ShownState, StateBadge } from '../parts/badge.tsx';
import type { WordKey } from '../words/words.tsx';

type State = ListedGiftCard['state'];

const STATES: Readonly<Record<State, ShownState>> = {
  Active: ['Active', 'good'],
  Inactive: ['cardInactive', 'neutral'],
  Blocked: ['cardBlocked', 'bad'],
  Expired: ['Expired', 'neutral'],
  Voided: ['cardVoided', 'neutral'],
  Merged: ['cardMerged', 'neutral'],
  Replaced: ['cardReplaced', 'neutral'],
  Swept: ['cardSwept', 'neutral'],
};

/** The states of gift cards, for a choice. */
export const CARD_STATES = Object.keys(STATES) as State[];

/** The word of a state. */
export const cardStateWord = (state: State): WordKey => STATES[state][0];

export function CardBadge({ state }: { readonly state: State }) {
  return <StateBadge shown={STATES[state]} />;
}
