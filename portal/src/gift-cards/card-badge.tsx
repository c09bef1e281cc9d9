import { Badge, type Tone } from '../parts/badge.tsx';
import { useWords, type WordKey } from '../words/words.tsx';

const STATES: Readonly<Record<string, readonly [WordKey, Tone]>> = {
  Active: ['Active', 'good'],
  Blocked: ['cardBlocked', 'bad'],
  Expired: ['Expired', 'neutral'],
  Voided: ['cardVoided', 'neutral'],
  Merged: ['cardMerged', 'neutral'],
  Replaced: ['cardReplaced', 'neutral'],
  Swept: ['cardSwept', 'neutral'],
};

/** The states of gift cards, for a choice. */
export const CARD_STATES = Object.keys(STATES);

/** The word of a state. */
export const cardStateWord = (state: string): WordKey => STATES[state]?.[0] ?? 'state';

export function CardBadge({ state }: { readonly state: string }) {
  const { t } = useWords();
  const [word, tone] = STATES[state] ?? ['state', 'neutral'];
  return <Badge tone={tone}>{t(word)}</Badge>;
}
