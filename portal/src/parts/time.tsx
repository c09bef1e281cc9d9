import { useSyncExternalStore } from 'react';
import { useWords } from '../words/words.tsx';

const TICK_MS = 30_000;

let nowMs = Date.now();

function onTick(listener: () => void): () => void {
  const timer = setInterval(() => {
    nowMs = Date.now();
    listener();
  }, TICK_MS);
  return () => clearInterval(timer);
}

interface TimeProps {
  readonly at: string;
  /** Of something that is to come: it never lies in the past, but is due. */
  readonly ahead?: boolean;
}

/** How long ago, or until; the exact instant with its zone on hover. */
export function Time({ at, ahead = false }: TimeProps) {
  const { t, relative, exact } = useWords();
  // Read again at each tick; in between a render tells the time as it is.
  useSyncExternalStore(onTick, () => nowMs);
  return (
    <time dateTime={at} title={exact(at)}>
      {ahead && Date.parse(at) <= Date.now() ? t('now') : relative(at, Date.now())}
    </time>
  );
}
