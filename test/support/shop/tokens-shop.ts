import { randomUUID } from 'node:crypto';
import type { PayeeId } from '../../../src/kit/ids.ts';
import { type Answer, type SendOptions, type TestService, testService } from '../service.ts';
import type { Line } from './tokens-lines.ts';

/** The service with the words of the token endpoints, for one payee. */
export interface Shop extends TestService {
  readonly tokenPath: (tokenId: string) => string;
  readonly payerPath: (payerReference: string) => string;
  /** Stores tokens; answers their GUIDs in the order of the lines. */
  store(...lines: Line[]): Promise<string[]>;
  get(path: string, options?: SendOptions): Promise<Answer>;
  patch(path: string, body: object, options?: SendOptions): Promise<Answer>;
  rename(tokenId: string, displayName: string, options?: SendOptions): Promise<Answer>;
  archive(tokenId: string, members?: Line, options?: SendOptions): Promise<Answer>;
  archiveAll(payerReference: string, members?: Line, options?: SendOptions): Promise<Answer>;
  /** Deletes below `/psp/paymentorders`; the kind is the address's segment. */
  remove(kind: Kind, name: string, options?: SendOptions): Promise<Answer>;
  /** The GUIDs in a payer's list, in its order. */
  list(payerReference: string, query?: string): Promise<string[]>;
  /** What the audit trail has of a token: the newest last. */
  auditOf(token: string): Promise<readonly Record<string, unknown>[]>;
}

export type Kind = 'recurrenceTokens' | 'unscheduledTokens' | 'paymentTokens' | 'payerownedtokens';

/** The segment of the address that deletes tokens of a type; one type has none of its own. */
export const KIND_OF: Readonly<Record<string, Kind | undefined>> = {
  Payment: 'paymentTokens',
  Recurrence: 'recurrenceTokens',
  Unscheduled: 'unscheduledTokens',
  TransactionOnFile: undefined,
};

export const DELETION = { state: 'Deleted', comment: 'the payer asked for it' };
export const ARCHIVING = { reason: 'no longer used', updatedBy: 'PAYEE' };

/** Starts the service for one test file. Stop it in `afterAll`. */
export async function openShop(): Promise<Shop> {
  const service = await testService();
  return shopOf(service, service.payeeId);
}

/** The same service as another payee sees it. */
export async function anotherShop(shop: TestService): Promise<Shop> {
  const { payeeId, accessToken } = await shop.addPayee();
  const service: TestService = {
    ...shop,
    payeeId,
    accessToken,
    send: (method, path, options) => shop.send(method, path, { accessToken, ...options }),
  };
  return shopOf(service, payeeId);
}

function shopOf(service: TestService, payeeId: PayeeId): Shop {
  const tokenPath = (tokenId: string) => `/online/payer/payees/${payeeId}/tokens/${tokenId}`;
  const payerPath = (reference: string) => `/online/payer/payees/${payeeId}/payers/${encodeURIComponent(reference)}`;
  const get: Shop['get'] = (path, options) => service.send('GET', path, options);
  const patch: Shop['patch'] = (path, body, options) => service.send('PATCH', path, { body, ...options });
  const archiving = (members?: Line) => ({ ...ARCHIVING, ...members });
  return {
    ...service,
    tokenPath,
    payerPath,
    get,
    patch,
    store: (...lines) => store(service, payeeId, lines),
    rename: (tokenId, displayName, options) => patch(`${tokenPath(tokenId)}/displaynames`, { displayName }, options),
    archive: (tokenId, members, options) => patch(`${tokenPath(tokenId)}/archives`, archiving(members), options),
    archiveAll: (payer, members, options) => patch(`${payerPath(payer)}/archives`, archiving(members), options),
    remove: (kind, name, options) => patch(`/psp/paymentorders/${kind}/${encodeURIComponent(name)}`, DELETION, options),
    list: async (payer, query = '') => {
      const { body } = await get(`${payerPath(payer)}/tokens${query}`);
      return body.tokens.tokenlist.map(({ token }: { token: string }) => token);
    },
    auditOf: (token) =>
      service.database.asAdmin(
        `select concat_ws(':', actor_kind, actor_id) as actor, action, object_kind, object_id, session_id, details, payee_id from audit
         where object_id like '${token}-%' order by audit_id`,
      ),
  };
}

async function store(service: TestService, payeeId: PayeeId, lines: readonly Line[]): Promise<string[]> {
  const named = lines.map((line) => ({ token: randomUUID(), ...line }));
  const outcomes = await service.importLines(named, payeeId);
  if (outcomes.some((outcome) => outcome !== 'imported')) throw new Error(`Not stored: ${JSON.stringify(outcomes)}`);
  return named.map(({ token }) => token);
}

/** The operation with this rel. Throws where there is none or more than one. */
export function operationOf(body: { operations: readonly Operation[] }, rel: string): Operation {
  const found = body.operations.filter((operation) => operation.rel === rel);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${found.length} operations with the rel ${rel}`);
  return only;
}

export interface Operation {
  readonly method: string;
  readonly href: string;
  readonly rel: string;
  readonly contentType: string;
}
