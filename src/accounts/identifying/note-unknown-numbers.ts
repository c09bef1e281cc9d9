import { WRONG_CODE_WINDOW_SECONDS } from '../../kit/limits.ts';
import { timedWriter } from '../../kit/row-writes.ts';
import { noteAttempts } from '../../merchants/attempts/count-attempt.ts';
import { UNKNOWN_NUMBER } from '../accounts.types.ts';

/** What writes unknown numbers down in a batch. */
export const UNKNOWN_NUMBER_WRITER = timedWriter(UNKNOWN_NUMBER, (numbers, now) =>
  noteAttempts(numbers, { kind: 'unknown-number', windowSeconds: WRONG_CODE_WINDOW_SECONDS }, now),
);
