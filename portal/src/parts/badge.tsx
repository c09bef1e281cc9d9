import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'plain' | 'accent';

/** A state in a word, with a colour that says no more than the word. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
