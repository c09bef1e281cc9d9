import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeliveriesAnswer, DeliveryAnswer } from '../../../client/kontor.generated.ts';
import { call, follow, offers } from '../api/call.ts';
import { listDeliveries } from '../api/operations.generated.ts';
import { useLinked, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Code } from '../parts/copyable.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { useNotice } from '../parts/notice.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Empty, SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { DeliveryBadge } from './webhook-badge.tsx';

type Delivery = DeliveriesAnswer['deliveries']['deliveryList'][number];

const ANY = 'any';

/** For a minute after the user did something, the list is read again this often. */
const LOOK_AGAIN_MS = 1500;
const WATCH_MS = 60_000;

interface DeliveriesProps {
  readonly webhookId: string;
  /**
   * When the user last did something that is delivered, in milliseconds. The list is not read again for ever: sessions
   * must end.
   */
  readonly actedAtMs: number;
}

/** What was delivered, the newest first. */
export function Deliveries({ webhookId, actedAtMs }: DeliveriesProps) {
  const { t, number } = useWords();
  const { payeeId } = useSession();
  const [state, setState] = useState<Delivery['state'] | typeof ANY>(ANY);
  const [shown, setShown] = useState<Delivery>();
  const input = { payeeId, webhookId, query: { state: state === ANY ? undefined : state, before: undefined } };
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [listDeliveries, input],
    queryFn: ({ pageParam: before }) =>
      before === undefined ? call(listDeliveries, input) : follow(before, 'next', { payeeId }),
    initialPageParam: undefined as DeliveriesAnswer | undefined,
    getNextPageParam: (page) => (offers(page, 'next') ? page : undefined),
    refetchInterval: () => (Date.now() - actedAtMs < WATCH_MS ? LOOK_AGAIN_MS : false),
  });
  const rows = data?.pages.flatMap(({ deliveries }) => deliveries.deliveryList);
  const loadMore = () => void fetchNextPage();
  return (
    <section className="stack-small">
      <h2>{t('deliveries')}</h2>
      <div className="filters">
        <SelectField
          label={t('state')}
          choices={[
            { id: ANY, label: t('all') },
            { id: 'Waiting', label: t('waiting') },
            { id: 'Delivered', label: t('delivered') },
            { id: 'GivenUp', label: t('givenUp') },
          ]}
          value={state}
          onChange={setState}
        />
      </div>
      <Table
        label={t('deliveries')}
        rows={rows}
        error={error}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noDeliveries')} text={t('noDeliveriesText')} />}
        foot={
          <ListFoot
            list={{ rows, error, hasMore: hasNextPage, isLoadingMore: isFetchingNextPage, loadMore, searchedTo: null }}
          />
        }
        columns={[
          { title: t('event'), cell: ({ event }) => <EventName type={event.type} /> },
          { title: t('state'), cell: (delivery) => <DeliveryBadge state={delivery.state} /> },
          { title: t('tries'), align: 'end', cell: ({ tries }) => number(tries) },
          { title: t('created'), align: 'end', cell: ({ created }) => <Time at={created} /> },
          {
            title: t('actions'),
            align: 'end',
            cell: (delivery) => (
              <Button
                small
                onPress={() => setShown(delivery)}
                aria-label={`${t('details')} ${delivery.event.type} ${delivery.event.position}`}
              >
                {t('details')}
              </Button>
            ),
          },
        ]}
      />
      {shown !== undefined && <DeliveryDialog delivery={shown} onClose={() => setShown(undefined)} />}
    </section>
  );
}

/** A type of event in words and as programs have it: the one for who reads, the other for who writes them. */
function EventName({ type }: { readonly type: string }) {
  const { named } = useWords();
  const [resource = ''] = type.split('.');
  return (
    <>
      <strong>
        {named('object', resource)}: <Named group="event" raw={type} />
      </strong>{' '}
      <span className="mono soft">{type}</span>
    </>
  );
}

function DeliveryDialog({ delivery, onClose }: { readonly delivery: Delivery; readonly onClose: () => void }) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const notify = useNotice();
  const [error, setError] = useState<unknown>();
  const { data, error: readError } = useLinked<DeliveryAnswer>(payeeId, delivery.id);
  const resend = async () => {
    setError(undefined);
    try {
      await follow(delivery, 'redeliver', { payeeId });
      await reload();
      notify(t('isDone', { what: t('resend') }));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog title={delivery.event.type} onClose={onClose} wide>
      <ProblemNote error={error ?? readError} />
      {data === undefined ? <SkeletonLines /> : <DeliveryShown delivery={data.delivery} />}
      <div className="dialog-foot">
        <Button onPress={onClose}>{t('close')}</Button>
        {offers(delivery, 'redeliver') && (
          <Button kind="primary" onPress={() => void resend()}>
            {t('resend')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function DeliveryShown({ delivery }: Pick<DeliveryAnswer, 'delivery'>) {
  const { t, exact, number } = useWords();
  return (
    <>
      <div className="actions">
        <DeliveryBadge state={delivery.state} />
        {delivery.nextTry !== undefined && (
          <span className="soft">
            {t('nextTry')}: <Time at={delivery.nextTry} ahead />
          </span>
        )}
      </div>
      <h3>{t('sent')}</h3>
      <Code text={indented(delivery.body)} label={t('sent')} />
      <h3>{t('tries')}</h3>
      {delivery.tryList.length === 0 && <p className="soft">{t('nothingHappened')}</p>}
      <ol className="timeline">
        {delivery.tryList.map(({ tried, status, failure, answer, durationMs }) => (
          <li key={tried} data-tone={failure === undefined ? 'good' : 'bad'}>
            <div className="timeline-head">
              <strong>
                {status}
                {status !== undefined && failure !== undefined && ' · '}
                {failure !== undefined && <Named group="failure" raw={failure} />}
              </strong>
              <span className="soft">
                {exact(tried)} · {number(durationMs)} ms
              </span>
            </div>
            {answer !== '' && <Code text={answer} label={t('answer')} />}
          </li>
        ))}
      </ol>
    </>
  );
}

/** JSON as people read it; what is none stays as it was sent. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
