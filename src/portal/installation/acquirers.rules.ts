import type { ConnectionStatus } from '../../iso8583/link/link.types.ts';
import type { Acquirer, Agreement, LinesState } from '../../issuers/acquirers/acquirers.types.ts';
import { UNACKNOWLEDGED_TRIES } from '../../kit/limits.ts';
import type { ExchangeAdvice, UnacknowledgedExchange } from './acquirers.types.ts';
import type { ListedAcquirer, ListedAgreement, ListedLine } from './acquirers.wire.ts';

/** An acquirer with the lines that an instance has to it. */
export function describeAcquirer(acquirer: Acquirer, states: readonly LinesState[]): ListedAcquirer {
  const { id, name, host, port, otherSites, tls, testHost, echoSeconds, operations } = acquirer;
  const statuses = states.find(({ acquirerId }) => acquirerId === id)?.statuses ?? [];
  return {
    acquirerId: id,
    acquirerName: name,
    address: port === 0 ? null : [{ host, port }, ...otherSites].map((site) => `${site.host}:${site.port}`).join(', '),
    isEncrypted: tls !== 'none',
    isTestHost: testHost,
    echoSeconds,
    operations,
    lines: statuses.map(describeLine),
  };
}

function describeLine({ site, state, since, echoedAt, reason, detail }: ConnectionStatus): ListedLine {
  const isThere = state === 'Ready';
  return {
    site,
    state,
    since: since.toISOString(),
    echoedAt: echoedAt?.toISOString() ?? null,
    reason: isThere ? null : (reason ?? null),
    detail: isThere ? '' : detail,
  };
}

/** An agreement with its payee's name. */
export function describeAgreement(agreement: Agreement, payeeName: string | undefined): ListedAgreement {
  const { id, payeeId, acquirer, merchantId, terminalIds, currencies, brands, bins, priority, closed } = agreement;
  return {
    agreementId: id,
    payeeId,
    payeeName: payeeName ?? null,
    acquirerId: acquirer,
    merchantId,
    terminalIds,
    currencies,
    brands,
    bins,
    priority,
    state: closed ? 'Closed' : 'Open',
  };
}

/** What to do about something that an acquirer has not acknowledged. */
export function adviceFor(
  { tries, acquirerId }: Pick<UnacknowledgedExchange, 'tries' | 'acquirerId'>,
  states: readonly LinesState[],
): ExchangeAdvice {
  if (tries <= UNACKNOWLEDGED_TRIES) return 'Wait';
  const isReady = states.some((one) => one.acquirerId === acquirerId && one.ready > 0);
  return isReady ? 'AskAcquirer' : 'MendLine';
}
