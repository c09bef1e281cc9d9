import { writeAudit } from '../../journal/write-audit.ts';
import { networkOf } from '../../kit/addresses/network.ts';
import type { NoteRefused, RefusedCaller } from '../../kit/refused-caller.ts';
import { readAccessToken } from '../access-tokens/access-tokens.rules.ts';
import type { RefusedCallersContext, TriedCredential } from '../merchants.types.ts';
import { readClientId } from '../oauth/oauth.rules.ts';
import { findTried } from './find-tried.ts';
import { createSamples, type Origin, type Samples, type Telling } from './refusal-samples.ts';
import { auditRefusal, refuseSignature, refuseStranger, refuseTried } from './refused-callers.rules.ts';

/** Credentials that are looked up in one round, to find out whose they were. */
const REFUSALS_TRIED = 200;

/** The refused callers of this process, on their way to the audit trail. */
export interface RefusedCallers {
  readonly note: NoteRefused;
  /**
   * Writes what is due; with `all` also what waits for its window to end.
   *
   * @throws Refusal `unavailable` where the database is away; what was noted is kept then
   */
  write(all?: boolean): Promise<void>;
}

/** A credential that may be one of ours, with how often it was tried from one network. */
interface Try {
  readonly credential: TriedCredential;
  readonly from: Required<Origin>;
  times: number;
}

/**
 * Gathers who was refused, for the audit trail. To note one is work in memory, the same for every credential of a form:
 * whether there is such a one, and whose, is asked of the database a moment later.
 */
export function gatherRefused(context: RefusedCallersContext): RefusedCallers {
  const samples = createSamples(context.now);
  const tries = new Map<string, Try>();

  const keepTry = (credential: TriedCredential, from: Required<Origin>): void => {
    const name = `${credential.kind} ${credential.payeeId} ${credential.name} ${networkOf(from.address)}`;
    const known = tries.get(name);
    if (known !== undefined) known.times += 1;
    else if (tries.size < REFUSALS_TRIED) tries.set(name, { credential, from, times: 1 });
    else samples.addUnknown(1);
  };
  return {
    note(refused) {
      const from = { address: refused.address, sessionId: refused.sessionId };
      const tried = triedBy(refused, context.mode);
      if (tried !== undefined) keepTry(tried, from);
      else samples.add(refusalOf(refused), from, 1);
    },
    async write(all = false) {
      if (tries.size > 0) {
        const asked = [...tries];
        await findOut(
          context,
          samples,
          asked.map(([, one]) => one),
        );
        for (const [name] of asked) tries.delete(name);
      }
      const told = samples.take(all);
      if (told.length === 0) return;
      await context.transact((transaction) => writeAudit(transaction, told.map(entryOf)));
      samples.settle(told);
    },
  };
}

/** What is to be looked up; undefined where nothing could be found. */
function triedBy({ proof }: RefusedCaller, mode: RefusedCallersContext['mode']): TriedCredential | undefined {
  if (proof.kind === 'access-token') {
    const form = proof.accessToken === undefined ? undefined : readAccessToken(mode, proof.accessToken);
    return form && { kind: 'access-token', payeeId: form.payeeId, name: `\\x${form.hash.toString('hex')}` };
  }
  if (proof.kind !== 'oauth-client' || proof.clientId === undefined) return undefined;
  const client = readClientId(proof.clientId);
  return client && { kind: 'oauth-client', payeeId: client.payeeId, name: client.clientId };
}

/** What is said of a caller whose credentials need no look-up. */
function refusalOf({ proof }: RefusedCaller) {
  switch (proof.kind) {
    case 'signature':
      return refuseSignature(proof.caller, proof.fault);
    case 'access-token':
      return refuseStranger('malformed-token');
    case 'oauth-client':
      return refuseStranger('unknown-client');
    case 'portal-user':
      return refuseStranger('unknown-user');
    case 'nothing':
      return refuseStranger('no-token');
  }
}

/** Asks whose the credentials are. Between the asking and here nothing waits, so no try is counted twice or lost. */
async function findOut({ transact }: RefusedCallersContext, samples: Samples, tries: readonly Try[]): Promise<void> {
  const credentials = tries.map(({ credential }) => credential);
  const stateOf = await transact((transaction) => findTried(transaction, credentials));
  for (const { credential, from, times } of tries) {
    const refusal = refuseTried(credential, stateOf.get(credential));
    if (refusal !== undefined) samples.add(refusal, from, times);
  }
}

function entryOf({ sample, times }: Telling) {
  return auditRefusal(sample, { ...sample.origin, times });
}
