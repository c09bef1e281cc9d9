import type { Dialect } from '../../iso8583/dialects/dialect.types.ts';
import { openLink } from '../../iso8583/link/link.flow.ts';
import type { LinkEvents } from '../../iso8583/link/link.types.ts';
import type { Finding } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { addressOf, type LinesParts, linkContext } from './acquirer-lines.flow.ts';
import type { Acquirer } from './acquirers.types.ts';

/** What a look at an acquirer has found: how long an echo took, or why there is no line. */
export type Probed = { readonly echoMs: number } | { readonly because: string };

/** Words for why a line did not come up; Node's own name for what is not here. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate has another name than serverName',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by ca',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is not signed by ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by ca',
  CERT_SIGNATURE_FAILURE: 'its certificate is not signed by ca',
  EPROTO: 'it does not speak TLS, or refuses ours',
};

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
    return echoMs === undefined ? { because: 'it answers no echo' } : { echoMs };
  } catch (error) {
    if (error instanceof Trouble) return { because: error.message };
    throw error;
  } finally {
    await link?.close();
  }
}

/** Resolves with undefined where the line comes up, else with why it did not. */
function firstState(resolve: (because: string | undefined) => void): LinkEvents {
  let hasOpened = false;
  let fault: string | undefined;
  return {
    state(state, cause) {
      if (state === 'SigningOn') hasOpened = true;
      if (state === 'Ready') resolve(undefined);
      if (state === 'Down') resolve(fault ?? becauseOf(cause, hasOpened));
    },
    answered: () => undefined,
    silent: () => undefined,
    late: () => undefined,
    fault(kind, detail) {
      if (kind === 'other host')
        fault = 'it names itself a test host and is not marked testHost, or the other way round';
      if (kind === 'sign-on refused') fault = `it refuses the sign-on (${detail})`;
      if (kind === 'not readable') fault = 'it does not speak this dialect';
    },
  };
}

function becauseOf(cause: string, hasOpened: boolean): string {
  const known = Object.hasOwn(CAUSES, cause) ? CAUSES[cause] : undefined;
  if (known !== undefined) return known;
  // With TLS 1.3 a host looks at our certificate when we think that the line is open already.
  if (cause.includes('ALERT') || (hasOpened && (cause === 'ECONNRESET' || cause === ''))) {
    return `it ended the line${cause === '' ? '' : ` (${cause})`}: it may not know our certificate`;
  }
  return cause === '' ? 'the line was not opened in time' : cause;
}

/** What `kontor doctor` says of it. */
export function findingOf({ id }: Acquirer, probed: Probed): Finding {
  if ('because' in probed) return { level: 'problem', text: `Acquirer ${id}: not connected: ${probed.because}.` };
  return { level: 'ok', text: `Acquirer ${id}: signed on, and answered an echo after ${probed.echoMs.toFixed(1)} ms.` };
}
