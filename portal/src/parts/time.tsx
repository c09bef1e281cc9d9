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

/** How long ago; the exact instant with its zone on hover. */
export function Time({ at }: { readonly at: string }) {
  const { relative, exact } = useWords();
  // Read again at each tick; in between a render tells the time as it is.
  useSyncExternalStore(onTick, () => nowMs);
  return (
    <time dateTime={at} title={exact(at)}>
      {relative(at, Date.now())}
    </time>
  );
}
