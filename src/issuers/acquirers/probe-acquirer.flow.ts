import type { Dialect } from '../../iso8583/dialects/dialect.types.ts';
import { openLink } from '../../iso8583/link/link.flow.ts';
import type { LinkEvents } from '../../iso8583/link/link.types.ts';
import { type Finding, ok, problem } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { wordsOf } from '../line-words.rules.ts';
import { addressOf, type LinesParts, linkContext } from './acquirer-lines.flow.ts';
import type { Acquirer } from './acquirers.types.ts';

/** What a look at an acquirer has found: how long an echo took, or why there is no line. */
export type Probed = { readonly echoMs: number } | { readonly because: string };

/** Connects, signs on, asks for an echo, and signs off. It takes no more than the limits of a line allow. */
export async function probeAcquirer(acquirer: Acquirer, dialect: Dialect, parts: LinesParts): Promise<Probed> {
  let link: ReturnType<typeof openLink> | undefined;
  try {
    const address = addressOf(acquirer, parts.files);
    const because = await new Promise<string | undefined>((resolve) => {
      const events = firstState(resolve);
      link = openLink(linkContext({ acquirer: { ...acquirer, connections: 1 }, dialect, address, events }, parts));
    });
    if (because !== undefined) return { because };
    const echoMs = await link?.echo();
    return echoMs === undefined ? { because: wordsOf('NoEcho', 'serverName') } : { echoMs };
  } catch (error) {
    if (error instanceof Trouble) return { because: error.message };
    throw error;
  } finally {
    await link?.close();
  }
}

/** Resolves with undefined where the line comes up, else with why it did not. */
function firstState(resolve: (because: string | undefined) => void): LinkEvents {
  return {
    state(state, lost) {
      if (state === 'Ready') resolve(undefined);
      if (lost !== undefined)
        resolve(wordsOf(lost.reason, 'serverName') + (lost.detail === '' ? '' : ` (${lost.detail})`));
    },
    answered: () => undefined,
    silent: () => undefined,
    late: () => undefined,
    fault: () => undefined,
  };
}

/** What `kontor doctor` says of it. */
export function findingOf({ id }: Acquirer, probed: Probed): Finding {
  if ('because' in probed) return problem(`Acquirer ${id}: not connected: ${probed.because}.`);
  return ok(`Acquirer ${id}: signed on, and answered an echo after ${probed.echoMs.toFixed(1)} ms.`);
}
