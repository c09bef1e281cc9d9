import { setTimeout as pause } from 'node:timers/promises';
import type { TestService } from './service.ts';

/** Milliseconds before a request comes again, and most times that it comes: half a minute. */
const AGAIN_MS = 250;
const MOST_TIMES = 120;

/**
 * The same service, whose requests are sent again as they are while it is too busy, as on a machine with much else to do. Its
 * 503 promises that nothing was done: one that has done something is found by its reference, which is taken then.
 *
 * @param noteBusy is called for each 503
 */
export function insistent<Kontor extends TestService>(kontor: Kontor, noteBusy: () => void = () => undefined): Kontor {
  return {
    ...kontor,
    async send(...request) {
      for (let times = 1; ; times++) {
        const answer = await kontor.send(...request);
        if (answer.status !== 503 || times === MOST_TIMES) return answer;
        noteBusy();
        await pause(AGAIN_MS);
      }
    },
  };
}
