import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { moveKeyRows } from '../api/operations.generated.ts';
import { useReload } from '../api/queries.ts';

/** How often it is tried again where others hold the last rows, and the milliseconds between. */
const TRIES = 15;
const TRY_AGAIN_MS = 1000;

export interface Rotation {
  readonly isMoving: boolean;
  /** Rows that were moved since the screen was opened. */
  readonly moved: number;
  /** Others hold the rows that are left. */
  readonly isStuck: boolean;
  readonly error: unknown;
  readonly start: () => void;
  readonly pause: () => void;
}

/** Moves the rows of a key, step by step, for as long as the screen is open. */
export function useRotation(keyId: string): Rotation {
  const reload = useReload();
  const [isMoving, setIsMoving] = useState(false);
  const [moved, setMoved] = useState(0);
  const [isStuck, setIsStuck] = useState(false);
  const [error, setError] = useState<unknown>();
  const isWanted = useRef(false);
  useEffect(
    () => () => {
      isWanted.current = false;
    },
    [],
  );
  const work = async () => {
    for (let idle = 0; isWanted.current && idle < TRIES; ) {
      const step = await call(moveKeyRows, { keyId });
      setMoved((before) => before + step.moved);
      if (step.isDone) return;
      idle = step.moved > 0 ? 0 : idle + 1;
      if (step.moved === 0) await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
      if (idle === TRIES) setIsStuck(true);
    }
  };
  const start = () => {
    if (isWanted.current) return;
    isWanted.current = true;
    setIsMoving(true);
    setIsStuck(false);
    setError(undefined);
    work()
      .catch(setError)
      .finally(() => {
        isWanted.current = false;
        setIsMoving(false);
        void reload();
      });
  };
  const pause = () => {
    isWanted.current = false;
  };
  return { isMoving, moved, isStuck, error, start, pause };
}
