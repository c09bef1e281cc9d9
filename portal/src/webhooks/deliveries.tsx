import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationOf, request } from '../api/public-api.ts';
import { usePublic } from '../api/use-public.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { useReload } from '../parts/confirm.tsx';
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
import { EventName } from './event-name.tsx';
import type { Delivery, DeliveryAnswer, DeliveryList } from './webhook.types.ts';
import { DeliveryBadge } from './webhook-badge.tsx';

const ANY = 'any';

/** For a minute after somebody did something, the list is read again this often. */
const LOOK_AGAIN_MS = 1500;
const WATCH_MS = 60_000;

interface DeliveriesProps {
  readonly href: string;
  /** When somebody last did something that is delivered, in milliseconds. Nobody watches for ever: sessions must end. */
  readonly actedAtMs: number;
}

/** What was delivered, the newest first. */
export function Deliveries({ href, actedAtMs }: DeliveriesProps) {
  const { t, number } = useWords();
  const { payeeId } = useSession();
  const [state, setState] = useState(ANY);
  const [shown, setShown] = useState<Delivery>();
  const address = state === ANY ? href : `${href}?state=${state}`;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['public', payeeId, address],
    queryFn: ({ pageParam }) => request<DeliveryList>({ payeeId, method: 'GET', href: pageParam }),
    initialPageParam: address,
    getNextPageParam: ({ operations }) => operationOf(operations, 'next')?.href,
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

function DeliveryDialog({ delivery, onClose }: { readonly delivery: Delivery; readonly onClose: () => void }) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const notify = useNotice();
  const [error, setError] = useState<unknown>();
  const { data, error: readError } = usePublic<DeliveryAnswer>(operationOf(delivery.operations, 'get-delivery')?.href);
  const again = operationOf(delivery.operations, 'redeliver');
  const resend = async () => {
    setError(undefined);
    try {
      await request({ payeeId, method: 'POST', href: again?.href ?? '', body: {} });
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
        {again !== undefined && (
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
