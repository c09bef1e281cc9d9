import type { ReportReads } from '../db/reading/report-reads.types.ts';
import type { Read, Transact } from '../db/transaction.types.ts';
import type { KeyRing } from '../keys/keys.types.ts';

/** What the routes of this slice are made with. */
export interface PortalDataOptions {
  readonly read: Read;
  /** Over the connections that are for reports, in turn with other payees: for downloads. */
  readonly readFor: ReportReads['readFor'];
  readonly transact: Transact;
  readonly keyRing: KeyRing;
  readonly newId: () => string;
  /** Hours for which calls are kept; 0: none are. */
  readonly callHours: number;
  /** Without a trailing slash. */
  readonly baseUrl: () => string;
}
