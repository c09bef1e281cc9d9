import type {
  AcquirerLine,
  ListedAcquirer,
  ListedAgreement,
  ListedExchange,
} from '../../../client/portal.generated.ts';
import { useList } from '../api/lists.ts';
import { listAcquirers, listAgreements, listUnacknowledged } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { Badge, type ShownState, StateBadge } from '../parts/badge.tsx';
import { Code } from '../parts/copyable.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords, type WordKey } from '../words/words.tsx';

/** Milliseconds between two looks at lines and at what is open, while the screen is looked at. */
const AGAIN_MS = 10_000;

/** The acquirers: how the lines to them are, what they have not acknowledged, and the agreements. */
export function Acquirers() {
  return (
    <>
      <Lines />
      <Unacknowledged />
      <Agreements />
    </>
  );
}

const STATES: Readonly<Record<AcquirerLine['state'], ShownState>> = {
  Ready: ['lineReady', 'good'],
  Draining: ['lineDraining', 'neutral'],
  Down: ['lineConnecting', 'bad'],
  Connecting: ['lineConnecting', 'bad'],
  SigningOn: ['lineConnecting', 'bad'],
};

interface LineRow extends Partial<AcquirerLine> {
  readonly key: string;
  readonly acquirer: ListedAcquirer;
}

function Lines() {
  const { t } = useWords();
  const { data, error } = useRead(listAcquirers, {}, { again: () => AGAIN_MS });
  if (data?.acquirers.length === 0) return null;
  const rows = data?.acquirers.flatMap(linesOf);
  return (
    <section className="stack-small">
      <h2>{t('lines')}</h2>
      {data !== undefined && (
        <p className="soft">{t('linesText', { instance: `${data.instance.host}:${data.instance.processId}` })}</p>
      )}
      <Table
        label={t('lines')}
        rows={rows}
        error={error}
        rowKey={({ key }) => key}
        empty={null}
        columns={[
          { title: t('acquirer'), cell: ({ acquirer, site }) => <AcquirerName one={acquirer} site={site} /> },
          { title: t('state'), cell: ({ state }) => state !== undefined && <StateBadge shown={STATES[state]} /> },
          { title: t('lineSince'), cell: ({ since }) => since !== undefined && <Time at={since} /> },
          { title: t('lastEcho'), cell: ({ echoedAt }) => (echoedAt ? <Time at={echoedAt} /> : '–') },
          { title: t('lineWhy'), cell: (line) => line.reason !== null && <Why line={line} /> },
        ]}
      />
    </section>
  );
}

function linesOf(acquirer: ListedAcquirer): readonly LineRow[] {
  if (acquirer.lines.length === 0) return [{ key: acquirer.acquirerId, acquirer }];
  return acquirer.lines.map((line, index) => ({ ...line, key: `${acquirer.acquirerId} ${index}`, acquirer }));
}

/** An acquirer, with the site that a line goes to: one may have several. */
function AcquirerName({ one, site }: { readonly one: ListedAcquirer; readonly site: string | undefined }) {
  const { t } = useWords();
  return (
    <span className="stack-tight">
      <span>
        <strong>{one.acquirerName}</strong> <span className="reference">{one.acquirerId}</span>
      </span>
      <span className="soft">
        {one.address === null ? t('inThisProcess') : <span className="mono">{site ?? one.address}</span>}{' '}
        {one.isTestHost && <Badge>{t('testHost')}</Badge>} {!one.isEncrypted && <Badge>{t('notEncrypted')}</Badge>}
      </span>
    </span>
  );
}

const REASONS: Readonly<Record<NonNullable<AcquirerLine['reason']>, WordKey>> = {
  NothingListens: 'lineNothingListens',
  NameUnknown: 'lineNameUnknown',
  NoWay: 'lineNoWay',
  NotOpened: 'lineNotOpened',
  CertificateExpired: 'lineCertificateExpired',
  CertificateNotYetValid: 'lineCertificateNotYetValid',
  CertificateName: 'lineCertificateName',
  CertificateAuthority: 'lineCertificateAuthority',
  NoTls: 'lineNoTls',
  OursRefused: 'lineOursRefused',
  SignOnRefused: 'lineSignOnRefused',
  OtherHost: 'lineOtherHost',
  NotReadable: 'lineNotReadable',
  NoEcho: 'lineNoEcho',
  SignedOff: 'lineSignedOff',
  Ended: 'lineEnded',
  Unknown: 'lineUnknown',
};

function Why({ line: { state, reason, detail } }: { readonly line: LineRow }) {
  const { t } = useWords();
  if (state === undefined) return t('noLines');
  if (reason === undefined || reason === null) return null;
  return (
    <span>
      {t(REASONS[reason])} {detail !== '' && <span className="mono soft">{detail}</span>}
    </span>
  );
}

function Unacknowledged() {
  const { t, money } = useWords();
  const { data, error } = useRead(listUnacknowledged, {}, { again: () => AGAIN_MS });
  return (
    <section className="stack-small">
      <h2>{t('unacknowledged')}</h2>
      <p className="soft">{t('unacknowledgedText')}</p>
      <Table
        label={t('unacknowledged')}
        rows={data?.exchanges}
        error={error}
        rowKey={({ attemptId }) => attemptId}
        empty={<Empty title={t('allAcknowledged')} />}
        foot={data?.hasMore && <div className="table-foot">{t('oldestShown')}</div>}
        columns={[
          {
            title: t('kind'),
            cell: ({ state, operation, acquirerId }) => (
              <span className="stack-tight">
                <strong>{t(kindOf(state, operation))}</strong>
                <span className="reference">{acquirerId}</span>
              </span>
            ),
          },
          { title: t('payee'), cell: ({ payeeName }) => payeeName },
          { title: t('amount'), align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
          { title: t('lineSince'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: t('tries'), align: 'end', cell: ({ tries }) => tries },
          { title: t('nextTry'), cell: ({ dueAt }) => <Time at={dueAt} ahead /> },
          { title: t('whatToDo'), cell: (one) => <Advice one={one} /> },
        ]}
      />
    </section>
  );
}

function kindOf(state: ListedExchange['state'], operation: ListedExchange['operation']): WordKey {
  if (state === 'REVERSING') return 'takeBack';
  return operation === 'Capture' ? 'captureRepeated' : 'cancelRepeated';
}

const ADVICE: Readonly<Record<ListedExchange['advice'], WordKey>> = {
  Wait: 'adviceWait',
  MendLine: 'adviceMendLine',
  AskAcquirer: 'adviceAskAcquirer',
};

/** What to do, and what the acquirer finds the message by. */
function Advice({ one }: { readonly one: ListedExchange }) {
  const { t } = useWords();
  const { merchantId, terminalId, stan, retrievalReference, sentAt } = one;
  // As the message has it: whole seconds in UTC.
  const sent = sentAt.slice(0, 19).replace('T', ' ');
  return (
    <div className="stack-tight">
      <span>{t(ADVICE[one.advice])}</span>
      <span className="mono soft">
        {merchantId} {terminalId} STAN {stan} RRN {retrievalReference} {sent} UTC
      </span>
      {one.advice === 'AskAcquirer' && (
        <Code label={t('whatToDo')} text={`kontor acquirers abandon ${one.attemptId} --reason TEXT --as NAME`} />
      )}
    </div>
  );
}

const AGREEMENT_STATES: Readonly<Record<ListedAgreement['state'], ShownState>> = {
  Open: ['agreementOpen', 'good'],
  Closed: ['agreementClosed', 'neutral'],
};

function Agreements() {
  const { t } = useWords();
  const list = useList(listAgreements, { query: {} });
  const { data } = useRead(listAcquirers, {});
  const empty = data?.isEveryPayeeAgreed ? (
    <Empty title={t('agreementsEveryPayee')} text={t('agreementsEveryPayeeText')} />
  ) : (
    <Empty title={t('noAgreements')} text={t('noAgreementsText')} />
  );
  return (
    <section className="stack-small">
      <h2>{t('agreements')}</h2>
      <p className="soft">{t('agreementsText')}</p>
      <Table
        label={t('agreements')}
        rows={data === undefined ? undefined : list.rows}
        error={list.error}
        rowKey={({ agreementId }) => agreementId}
        empty={empty}
        foot={<ListFoot list={list} />}
        columns={[
          { title: t('id'), cell: ({ agreementId }) => <span className="reference">{agreementId}</span> },
          { title: t('payee'), cell: ({ payeeName }) => payeeName ?? <Badge tone="bad">{t('noSuchPayee')}</Badge> },
          { title: t('acquirer'), cell: ({ acquirerId }) => <span className="reference">{acquirerId}</span> },
          { title: t('merchantNumber'), cell: ({ merchantId }) => <span className="mono">{merchantId}</span> },
          { title: t('currencies'), cell: ({ currencies }) => currencies.join(' ') },
          { title: t('brands'), cell: ({ brands }) => brands.join(', ') },
          { title: t('state'), cell: ({ state }) => <StateBadge shown={AGREEMENT_STATES[state]} /> },
        ]}
      />
    </section>
  );
}
