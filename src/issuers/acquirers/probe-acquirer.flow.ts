import type { Dialect } from '../../iso8583/dialects/dialect.types.ts';
import { openLink } from '../../iso8583/link/link.flow.ts';
import type { LineReason, LinkEvents } from '../../iso8583/link/link.types.ts';
import { type Finding, ok, problem } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { wordsOf } from '../line-words.rules.ts';
import type { Acquirer } from './acquirers.types.ts';
import { addressesOf, type LinesParts, linkContext, macOf } from './reach-acquirer.ts';

/** What a look at an acquirer has found: how long an echo took, or why there is no line. */
export type Probed = { readonly echoMs: number } | NoLine;

interface NoLine {
  readonly because: string;
  /** Undefined where nothing was sent: a file of the acquirer's is not right. */
  readonly reason?: LineReason;
}

/** What a host may do with a line beyond those that it allows. */
const MAY_BE_ONE_TOO_MANY: readonly LineReason[] = ['Ended', 'SignOnRefused', 'NotOpened', 'NoEcho', 'Unknown'];

/** An acquirer with each of its sites alone. */
export function eachSite(acquirer: Acquirer): readonly Acquirer[] {
  const { host, port, otherSites } = acquirer;
  return [{ host, port }, ...otherSites].map((site) => ({ ...acquirer, ...site, otherSites: [] }));
}

/** Connects, signs on, asks for an echo, and signs off. It takes no more than the limits of a line allow. */
export async function probeAcquirer(acquirer: Acquirer, dialect: Dialect, parts: LinesParts): Promise<Probed> {
  let link: ReturnType<typeof openLink> | undefined;
  try {
    const addresses = addressesOf(acquirer, parts.files);
    const mac = macOf(acquirer, dialect, parts);
    const noLine = await new Promise<NoLine | undefined>((resolve) => {
      const events = firstState(resolve);
      const of = { acquirer: { ...acquirer, connections: 1 }, dialect, addresses, events };
      link = openLink(linkContext({ ...of, ...mac }, parts));
    });
    if (noLine !== undefined) return noLine;
    const echoMs = await link?.echo();
    return echoMs === undefined ? { because: wordsOf('NoEcho', 'serverName'), reason: 'NoEcho' } : { echoMs };
  } catch (error) {
    if (error instanceof Trouble) return { because: error.message };
    throw error;
  } finally {
    await link?.close();
  }
}

/** Resolves with undefined where the line comes up, else with why it did not. */
function firstState(resolve: (noLine: NoLine | undefined) => void): LinkEvents {
  return {
    state(state, lost) {
      if (state === 'Ready') resolve(undefined);
      if (lost === undefined) return;
      const { reason, detail } = lost;
      resolve({ because: wordsOf(reason, 'serverName') + (detail === '' ? '' : ` (${detail})`), reason });
    },
    answered: () => undefined,
    silent: () => undefined,
    late: () => undefined,
    habit: () => undefined,
    fault: () => undefined,
    notWritable: () => undefined,
  };
}

/** What `kontor doctor` says of it. */
export function findingOf({ id: name, host, port }: Acquirer, probed: Probed, isOneOfMany = false): Finding {
  const id = isOneOfMany ? `${name} at ${host}:${port}` : name;
  if ('because' in probed) {
    const { because, reason } = probed;
    const said = `Acquirer ${id}: not connected: ${because}.`;
    if (reason === undefined || !MAY_BE_ONE_TOO_MANY.includes(reason)) return problem(said);
    return problem(
      `${said} If the service is connected to it, the acquirer may allow no line beside the service's own: ask the acquirer, or look again while the service is stopped.`,
    );
  }
  return ok(`Acquirer ${id}: signed on, and answered an echo after ${probed.echoMs.toFixed(1)} ms.`);
}
