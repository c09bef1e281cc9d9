import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { selectNow } from '../clock.store.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { FileFault, OpenFile } from './files.types.ts';
import { importFile, previewFile } from './import-file.flow.ts';
import { selectImported } from './imported-batches.store.ts';
import { ImportAnswer, ImportQuery, ImportsAnswer, PreviewAnswer, PreviewQuery } from './portal-files.wire.ts';
import { RefusedFile } from './refused-file.ts';

const TAG = 'Settlement';
const HERE = '/portal/api/payees/:payeeId/settlement-files';
/** Bytes of a file: a hundred thousand lines, a payee's for a month of thousands of sales a day. */
const FILE_BYTES = 16 * 1024 * 1024;
/** Batches of a file: a payee has one for each merchant number, currency and day. The file of an acquirer of thousands is a command's. */
const FILE_BATCHES = 500;
/** Imported batches that one answer shows. */
const SHOWN = 200;

/** What a person does with files of acquirers: looks what one would do, takes it, and sees who has taken which. */
export function portalFileRoutes(
  context: SettlementContext,
  sentFile: (name: string, bytes: Buffer) => OpenFile,
): AnyPortalRoute[] {
  const { hosts, database } = context;
  const { longWork, background } = database;
  const { read } = background;
  const asked = async (request: FileRequest, digest?: string) => {
    const { payeeId, file, query } = request;
    const acquirer = hosts.acquirersOf(payeeId).find(({ id }) => id === query.acquirer);
    if (acquirer === undefined) throw inputError('acquirer', 'is none that the payee has an agreement with');
    return {
      acquirer,
      file: sentFile(query.name, file),
      actor: actorOf(request),
      now: new Date(await selectNow(read)),
      sent: { payeeId, mostBatches: FILE_BATCHES, digest },
    };
  };
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'listImportedBatches',
      tag: TAG,
      summary: 'List the batches that were imported, by whom and of which files, the newest first',
      shape: { params: PayeeParams, query: NoQuery, body: undefined, answer: ImportsAnswer },
      handle: async ({ payeeId }) => {
        const found = await selectImported(read, payeeId, SHOWN + 1);
        return {
          acquirers: hosts.acquirersOf(payeeId).map(({ id }) => id),
          imports: found.slice(0, SHOWN).map((one) => ({ ...one })),
          hasMore: found.length > SHOWN,
        };
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/preview`,
      operationId: 'previewSettlementFile',
      tag: TAG,
      summary: 'Say what an import of a settlement file would take, match and refuse; nothing is changed',
      fileBytes: FILE_BYTES,
      shape: { params: PayeeParams, query: PreviewQuery, body: undefined, answer: PreviewAnswer },
      handle: async (request) => {
        const found = await lookedAt(async () => previewFile(longWork, context, await asked(request)));
        if (found instanceof RefusedFile) return { ...NOTHING_SEEN, reason: told(found.fault) };
        const { digest, batches, outcomes, unread, ...more } = found;
        return {
          ...more,
          digest: digest.toString('hex'),
          reason: null,
          batches: batches.map((one) => ({ ...one, reason: one.reason && told(one.reason) })),
          outcomes: outcomes.map((one) => ({ ...one })),
          unread: unread.map((one) => ({ ...one, reason: told(one.reason) })),
        };
      },
    }),
    portalRoute({
      method: 'POST',
      path: HERE,
      operationId: 'importSettlementFile',
      tag: TAG,
      summary: 'Import a settlement file that was looked at; twice is as once',
      fileBytes: FILE_BYTES,
      shape: { params: PayeeParams, query: ImportQuery, body: undefined, answer: ImportAnswer },
      handle: async (request) => {
        const done = await lookedAt(async () =>
          importFile(longWork, context, await asked(request, request.query.digest)),
        );
        if (done instanceof RefusedFile) throw inputError('file', done.message);
        return { ...done, refused: done.refused.map((one) => ({ ...one, reason: told(one.reason) })) };
      },
    }),
  ];
}

type FileRequest = Parameters<typeof actorOf>[0] & {
  readonly payeeId: PayeeId;
  readonly file: Buffer;
  readonly query: { readonly acquirer: string; readonly name: string };
};

/** Of a file that is refused whole. */
const NOTHING_SEEN = {
  digest: null,
  lines: 0,
  isKnown: false,
  batches: [],
  outcomes: [],
  unread: [],
  hasMoreUnread: false,
};

const told = ({ code, line, column, value }: FileFault) => ({
  code,
  line: line ?? null,
  column: column ?? null,
  value: value ?? null,
});

/** What was found, or why the file is refused whole. */
async function lookedAt<Found>(work: () => Promise<Found>): Promise<Found | RefusedFile> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedFile) return error;
    throw error;
  }
}
