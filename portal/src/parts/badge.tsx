import type { ReactNode } from 'react';
import { useWords, type WordKey } from '../words/words.tsx';

export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'plain' | 'accent';

/** A state in a word, with a colour that says no more than the word. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

/** How a state is shown: its word, and its tone. */
export type ShownState = readonly [WordKey, Tone];

/** The badge of a state, in the reader's language. */
export function StateBadge({ shown: [word, tone] }: { readonly shown: ShownState }) {
  const { t } = useWords();
  return <Badge tone={tone}>{t(word)}</Badge>;
}
