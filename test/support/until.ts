import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until a condition holds, asking every few milliseconds.
 *
 * @throws Error after the deadline, with the condition's source
 */
export async function until(condition: () => Promise<boolean> | boolean, deadlineMs = 10_000): Promise<void> {
  const giveUpAt = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`Not within ${deadlineMs} ms: ${condition}`);
    await pause(5);
  }
}
