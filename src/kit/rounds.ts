/**
 * Does work again and again, one round at a time: a round that takes longer than the interval is not joined by another.
 * The timer does not keep the process alive.
 *
 * @param work one round; it sees to its own failures and never rejects. `isStopped` tells it to end early
 * @returns stops the rounds, and waits for the one under way
 */
export function startRounds(
  intervalMs: number,
  work: (isStopped: () => boolean) => Promise<void>,
): () => Promise<void> {
  let round: Promise<void> | undefined;
  let hasStopped = false;
  const timer = setInterval(() => {
    round ??= work(() => hasStopped).finally(() => {
      round = undefined;
    });
  }, intervalMs);
  timer.unref();
  return async () => {
    hasStopped = true;
    clearInterval(timer);
    await round;
  };
}
