import { Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ProgressBar } from 'react-aria-components';
import type { Key } from '../../../client/portal.generated.ts';
import { Button } from '../parts/button.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useWords } from '../words/words.tsx';
import { useRotation } from './use-rotation.ts';

interface RotationProgressProps {
  readonly previous: Key;
  /** Whether its rows are to be moved at once: the user has just said so. */
  readonly isBegun: boolean;
}

/** How far the rows of a previous key have come, and the way on. */
export function RotationProgress({ previous, isBegun }: RotationProgressProps) {
  const { t, number } = useWords();
  const { isMoving, moved, isStuck, error, start, pause } = useRotation(previous.id);
  // What there was to do when the screen was opened; the service counts anew only when it is asked.
  const [total] = useState(previous.rowsLeft ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, by itself.
  useEffect(() => {
    if (isBegun) start();
  }, [isBegun]);
  const done = Math.min(moved, total);
  const value = t('rowsMoved', { done: number(done), total: number(total) });
  const share = total === 0 ? 1000 : (done / total) * 1000;
  return (
    <div className="stack-small">
      <ProgressBar aria-label={previous.id} value={done} maxValue={Math.max(total, 1)} valueLabel={value}>
        <svg className="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden>
          <rect data-part="open" x="0" y="0" width={share} height="10" />
        </svg>
      </ProgressBar>
      <div className="actions">
        {isMoving ? (
          <Button icon={<Pause size={16} aria-hidden />} onPress={pause}>
            {t('pause')}
          </Button>
        ) : (
          <Button kind="primary" icon={<Play size={16} aria-hidden />} onPress={start}>
            {t('moveRows')}
          </Button>
        )}
        <span role="status">{moved > 0 ? value : t('rowsLeft', { count: total })}</span>
      </div>
      {isMoving && <p className="soft">{t('movingStays')}</p>}
      {isStuck && <div className="note">{t('rowsLocked')}</div>}
      <ProblemNote error={error} />
    </div>
  );
}
