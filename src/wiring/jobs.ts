import * as browserFiles from '../browser-files/serving.ts';
import { forgetRowsAtWork, makeWorkOn } from '../db/rows-at-work.ts';
import type { Read } from '../db/transaction.types.ts';
import * as events from '../events/serving.ts';
import * as giftCards from '../gift-cards/serving.ts';
import { startThreeDS } from '../issuers/authentication/serving.ts';
import * as issuers from '../issuers/serving.ts';
import { findMisfit } from '../keys/ring/load-ring.ts';
import * as keys from '../keys/serving.ts';
import { FORGET_INTERVAL_MS } from '../kit/limits.ts';
import type { NoteRefused } from '../kit/refused-caller.ts';
import { createBackground, type ReportFailure, stopAll } from '../kit/work/background.ts';
import type { CallSink } from '../kit/work/finished-call.ts';
import type { Quiet } from '../kit/work/traffic.ts';
import { Trouble } from '../kit/work/trouble.ts';
import * as ledger from '../ledger/serving.ts';
import type { AccessTokenKey, HmacKeyName } from '../merchants/merchants.types.ts';
import * as merchants from '../merchants/serving.ts';
import * as orders from '../orders/serving.ts';
import * as payments from '../payments/serving.ts';
import * as portal from '../portal/serving.ts';
import * as portalUsers from '../portal-users/serving.ts';
import * as settlements from '../settlements/serving.ts';
import type { Service } from './service.ts';

/** Milliseconds between two looks at the card ranges, for prefixes that free text is scanned for. */
const CARD_PREFIX_INTERVAL_MS = 60_000;
/** How often an instance looks whether it has the keys that others write with. */
const KEY_RING_INTERVAL_MS = 5_000;

/** The background work of a service. */
export interface Jobs {
  /** Takes note of an access token's first use of the day; returns at once. */
  readonly noteTokenUse: (token: AccessTokenKey) => void;
  /** The same of an HMAC key. */
  readonly noteKeyUse: (key: HmacKeyName) => void;
  readonly noteRefused: NoteRefused;
  readonly calls: CallSink | undefined;
  stop(): Promise<void>;
}

/** What jobs need of the process. */
export interface JobsOptions {
  readonly quiet: Quiet;
  readonly report: ReportFailure;
  /** Writes to the log. */
  readonly tell: (line: string) => void;
}

/** Starts all background work of a service: its own, and that of the slices. */
export async function startJobs(service: Service, { quiet, report, tell }: JobsOptions): Promise<Jobs> {
  const { read, transact } = service.database.background;
  const background = createBackground(report);
  const given = { read, transact, background, workOn: makeWorkOn(transact, report), quiet };
  const { slices } = service;
  const { stop: stopAuthenticating } = await startThreeDS(slices.threeDS, background, tell);
  const requests = merchants.startJobs(slices.merchants, given);
  const pages = portal.startJobs(slices.portal, given);
  const others = [
    browserFiles.startJobs(slices.browserFiles, given),
    ledger.startJobs(slices.ledger, given),
    issuers.startJobs(slices.issuers, given),
    giftCards.startJobs(slices.giftCards, given),
    payments.startJobs(slices.payments, given),
    orders.startJobs(slices.orders, given),
    portalUsers.startJobs(slices.portalUsers, given),
    settlements.startJobs(slices.settlements, given),
    events.startJobs(slices.events, given),
    keys.startJobs(slices.keys, given),
  ];
  const stops = [
    background.repeat('load-card-prefixes', CARD_PREFIX_INTERVAL_MS, service.loadCardPrefixes),
    background.repeat('load-key-ring', KEY_RING_INTERVAL_MS, () => lookAtKeys(service, read)),
    background.repeat('forget-rows-at-work', FORGET_INTERVAL_MS, () => transact(forgetRowsAtWork)),
    ...[requests, pages, ...others].map(({ stop }) => stop),
    stopAuthenticating,
  ];
  return {
    noteTokenUse: requests.noteTokenUse,
    noteKeyUse: requests.noteKeyUse,
    noteRefused: requests.noteRefused,
    calls: pages.calls,
    stop: stopAll(stops),
  };
}

/** Keys that other instances write with are fetched before they are needed; where one is not there, the log says so. */
async function lookAtKeys(service: Service, read: Read): Promise<void> {
  const misfit = await findMisfit(read, service);
  if (misfit !== undefined) throw new Trouble(misfit);
}
