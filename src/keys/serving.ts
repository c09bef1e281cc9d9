import type { JobContext } from '../db/job-context.types.ts';
import { SERVICE } from '../kit/caller.ts';
import type { composeKeys } from './compose.ts';
import { keyRoutes } from './keys.http.ts';
import { startRetiringKeys } from './retire-keys.job.ts';

type Keys = ReturnType<typeof composeKeys>;

/** What operators see of the keys. */
export function routes({ transact, keyRing, keyProvider, keyUses, auditBy }: Keys) {
  return { portalRoutes: keyRoutes({ transact, keyRing, keyProvider, keyUses: keyUses(), auditBy }) };
}

/** Retires keys that nothing uses any more. */
export function startJobs({ keyUses, auditBy }: Keys, jobs: JobContext) {
  return { stop: startRetiringKeys(jobs, { keyUses: keyUses(), audit: auditBy(SERVICE) }) };
}
