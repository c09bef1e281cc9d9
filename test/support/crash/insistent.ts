import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../../src/kit/errors.ts';
import { HANDLER_TIMEOUT_MS } from '../../../src/kit/limits.ts';
import type { TestService } from '../service.ts';

/** Milliseconds before a request comes again, and most times that it comes: half a minute. */
const AGAIN_MS = 250;
const MOST_TIMES = 120;

/** A request took longer than the service lets one take: what became of it is not known, as after a kill. */
export class Overdue extends Error {
  override readonly name = 'Overdue';
}

/**
 * The same service on a machine with much else to do. Requests are sent again as they are while it is too busy: its 503 promises
 * that nothing was done, and one that has done something is found by its reference, which is taken then. A 500 after the
 * time that a request may take throws `Overdue`; any other one is an answer, and a fault.
 *
 * @param noteBusy is called for each 503
 */
export function insistent<Kontor extends TestService>(kontor: Kontor, noteBusy: () => void = () => undefined): Kontor {
  return {
    ...kontor,
    async send(...request) {
      for (let times = 1; ; times++) {
        const since = performance.now();
        const answer = await kontor.send(...request);
        if (answer.status === 500 && performance.now() - since >= HANDLER_TIMEOUT_MS) throw new Overdue(answer.text);
        if (answer.status !== 503 || times === MOST_TIMES) return answer;
        noteBusy();
        await pause(AGAIN_MS);
      }
    },
  };
}

/** Does again what is refused in the same way past HTTP. */
export async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let times = 1; ; times++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'unavailable') || times === MOST_TIMES) throw error;
      await pause(AGAIN_MS);
    }
  }
}
