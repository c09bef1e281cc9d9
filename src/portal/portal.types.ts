import type { Issuers } from '../issuers/issuers.types.ts';
import type { Kontor } from '../kontor.types.ts';
import type { AcquirersShown } from './installation/acquirers.types.ts';

/** What this slice works with. */
export interface PortalContext extends Kontor {
  readonly issuers: Issuers;
  readonly acquirers: AcquirersShown;
}
