import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { Key } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import { activateKey, listKeys } from '../api/operations.generated.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Badge, type ShownState, StateBadge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Code } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords, type WordKey } from '../words/words.tsx';
import { RotationProgress } from './rotation.tsx';

const PURPOSES: Readonly<Record<Key['purpose'], WordKey>> = {
  'card-data': 'keyCardData',
  fingerprint: 'keyFingerprint',
  secrets: 'keySecrets',
  'account-numbers': 'keyAccountNumbers',
  'card-history': 'keyCardHistory',
  'token-lines': 'keyTokenLines',
  'page-links': 'keyPageLinks',
  'portal-users': 'keyPortalUsers',
  networks: 'keyNetworks',
  guesses: 'keyGuesses',
  identity: 'keyIdentity',
  'card-verification': 'keyCardVerification',
};

const STATES: Readonly<Record<Key['state'], ShownState>> = {
  Prepared: ['keyPrepared', 'plain'],
  Current: ['keyCurrent', 'good'],
  Previous: ['keyPrevious', 'warn'],
  Retired: ['keyRetired', 'neutral'],
  Destroyed: ['keyDestroyed', 'neutral'],
};

/** The keys of the ring by what they are for, and how far their rotation is. */
export function Keys() {
  const { t } = useWords();
  const reload = useReload();
  const { data, error } = useRead(listKeys, {});
  if (data === undefined) return error === null ? <SkeletonLines /> : <ProblemNote error={error} />;
  const purposes = (Object.keys(PURPOSES) as Key['purpose'][]).map((purpose) => ({
    purpose,
    keys: data.keys.filter((key) => key.purpose === purpose),
  }));
  return (
    <>
      <div className="card-head">
        <p className="soft">{t('keysText')}</p>
        <Button icon={<RefreshCw size={16} aria-hidden />} onPress={() => void reload()}>
          {t('reload')}
        </Button>
      </div>
      {purposes
        .filter(({ keys }) => keys.length > 0)
        .map(({ purpose, keys }) => (
          <Purpose key={purpose} purpose={purpose} keys={keys} />
        ))}
    </>
  );
}

interface PurposeProps {
  readonly purpose: Key['purpose'];
  readonly keys: readonly Key[];
}

function Purpose({ purpose, keys }: PurposeProps) {
  const { t } = useWords();
  const [begun, setBegun] = useState<string>();
  const previous = keys.find(({ state }) => state === 'Previous');
  return (
    <section className="card stack-small" aria-label={t(PURPOSES[purpose])}>
      <div className="card-head">
        <h2>{t(PURPOSES[purpose])}</h2>
        {keys.some(({ isDue }) => isDue) && <Badge tone="warn">{t('rotationDue')}</Badge>}
      </div>
      <KeyTable purpose={purpose} keys={keys} />
      {previous === undefined ? (
        <NextKey purpose={purpose} keys={keys} onBegun={setBegun} />
      ) : (
        <RotationProgress key={previous.id} previous={previous} isBegun={begun === previous.id} />
      )}
    </section>
  );
}

function KeyTable({ purpose, keys }: PurposeProps) {
  const { t } = useWords();
  return (
    <Table
      label={t(PURPOSES[purpose])}
      rows={keys}
      rowKey={({ id }) => id}
      empty={null}
      columns={[
        { title: t('id'), cell: ({ id }) => <span className="mono">{id}</span> },
        {
          title: t('state'),
          cell: ({ state, isHeld }) => {
            const isMissing = !isHeld && state !== 'Destroyed';
            return (
              <span className="actions">
                <StateBadge shown={STATES[state]} />
                {isMissing && <Badge tone="bad">{t('keyMissing')}</Badge>}
              </span>
            );
          },
        },
        { title: t('inUseSince'), cell: ({ usedSince }) => usedSince !== null && <Time at={usedSince} /> },
        {
          title: t('stateSince'),
          align: 'end',
          cell: ({ stateSince }) => stateSince !== null && <Time at={stateSince} />,
        },
      ]}
    />
  );
}

/** What to do to rotate: begin with the key that was prepared, or prepare one. */
function NextKey({ purpose, keys, onBegun }: PurposeProps & { readonly onBegun: (previousId: string) => void }) {
  const { t } = useWords();
  const { can } = useSession();
  const reload = useReload();
  const [isAsking, setIsAsking] = useState(false);
  const current = keys.find(({ state }) => state === 'Current');
  const prepared = keys.findLast(({ state }) => state === 'Prepared');
  if (current?.isRotatable !== true) return <p className="soft">{t('notRotatable')}</p>;
  if (prepared === undefined) {
    return (
      <details>
        <summary>{t('rotate')}</summary>
        <div className="stack-small">
          <p className="soft">{t('prepareKeyText')}</p>
          <Code label={t('rotate')} text={`kontor keys rotate --purpose ${purpose} --prepare --as NAME`} />
        </div>
      </details>
    );
  }
  const { id } = prepared;
  const activate = async () => {
    await call(activateKey, { keyId: id });
    onBegun(current.id);
    await reload();
    return undefined;
  };
  return (
    <div className="actions">
      <Button kind="primary" isDisabled={!can('activateKey')} onPress={() => setIsAsking(true)}>
        {t('activateKey', { id })}
      </Button>
      {isAsking && (
        <FormDialog
          title={t('activateKey', { id })}
          submit={t('rotate')}
          onSubmit={activate}
          onClose={() => setIsAsking(false)}
        >
          <p>{t('activateKeyText', { id })}</p>
        </FormDialog>
      )}
    </div>
  );
}
