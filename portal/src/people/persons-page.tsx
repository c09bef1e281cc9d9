import { Download, Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { erasePerson, findPerson } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog, FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords, type WordKey } from '../words/words.tsx';

type Person = AnswerOf<typeof findPerson>;
/** What was erased, of whom, and when. */
type Erasure = AnswerOf<typeof erasePerson> & { readonly name: string };
/** As it was looked for: the reference or the address stays out of the page's address, which is kept in many places. */
type Whom = { readonly payerReference: string } | { readonly email: string };

const whomOf = (text: string): Whom => (text.includes('@') ? { email: text } : { payerReference: text });

/** What is stored of a payer, for the person who asks: to show it, to take it along, to erase it. */
export function PersonsPage() {
  const { t } = useWords();
  const { payeeId, can } = useSession();
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ readonly name: string; readonly person: Person }>();
  const [error, setError] = useState<unknown>();
  const [isErasing, setIsErasing] = useState(false);
  const [erased, setErased] = useState<Erasure>();
  const find = async (name: string) => {
    setError(undefined);
    setFound(undefined);
    try {
      setFound({ name, person: await call(findPerson, { payeeId, body: whomOf(name) }) });
    } catch (failure) {
      setError(failure);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const name = text.trim();
    if (name !== '') void find(name);
  };
  const isThere = found !== undefined && linesOf(found.person, (code) => code).length > 0;
  return (
    <Page
      title={t('personalData')}
      text={t('personalDataText')}
      actions={
        isThere && (
          <>
            <Button icon={<Download size={16} aria-hidden />} onPress={() => download(found.person)}>
              {t('downloadJson')}
            </Button>
            {can('erasePerson') && (
              <Button kind="danger" onPress={() => setIsErasing(true)}>
                {t('erase')}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="filters">
        <form className="filter-group search-form" onSubmit={onSubmit}>
          <Field
            label={t('payerOrEmail')}
            type="search"
            value={text}
            onChange={setText}
            maxLength={254}
            autoComplete="off"
          />
          <Button type="submit" icon={<Search size={16} aria-hidden />}>
            {t('search')}
          </Button>
        </form>
      </div>
      <ProblemNote error={error} />
      {found !== undefined && <Known name={found.name} person={found.person} />}
      {isErasing && found !== undefined && (
        <EraseDialog
          name={found.name}
          onErased={async (receipt) => {
            setErased(receipt);
            await find(found.name);
          }}
          onClose={() => setIsErasing(false)}
        />
      )}
      {erased !== undefined && <Receipt erasure={erased} onClose={() => setErased(undefined)} />}
    </Page>
  );
}

interface Line {
  readonly id: string;
  readonly kind: WordKey;
  readonly created: string;
  readonly amount?: { readonly amount: number; readonly currency: string };
  readonly known: readonly string[];
}

type NameOfCountry = ReturnType<typeof useWords>['country'];

function linesOf({ orders, payments, tokens, giftCards }: Person, country: NameOfCountry): readonly Line[] {
  const known = (...values: readonly unknown[]) => textsIn(values, country);
  return [
    ...orders.map(({ id, created, amount, currency, payer, userAgent }) => {
      return { id, kind: 'order', created, amount: { amount, currency }, known: known(payer, userAgent) } as const;
    }),
    ...payments.map(({ id, created, amount, currency, cardholder, cards, userAgent }) => {
      const texts = known(cardholder, cards, userAgent);
      return { id, kind: 'payment', created, amount: { amount, currency }, known: texts } as const;
    }),
    ...tokens.map(({ token: id, created, displayName, lastFour, expiryDate, archiveReason, deleteComment }) => {
      const texts = known(displayName, lastFour, expiryDate, archiveReason, deleteComment);
      return { id, kind: 'payerToken', created, known: texts } as const;
    }),
    ...giftCards.map(({ paymentAccountId: id, issued: created, email, msisdn }) => {
      return { id, kind: 'giftCard', created, known: known(email, msisdn) } as const;
    }),
  ];
}

/** All texts of a value, each once: what is known of the person before addresses, and countries by their names. */
function textsIn(value: unknown, country: NameOfCountry): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value).map(([name, one]) =>
    name === 'countryCode' && isText(one) ? country(one) : (one as unknown),
  );
  const [own, inside] = [members.filter(isText), members.filter((one) => !isText(one))];
  return [...new Set([...own, ...inside].flatMap((one) => textsIn(one, country)))];
}

const isText = (value: unknown): value is string => typeof value === 'string';

function Known({ name, person }: { readonly name: string; readonly person: Person }) {
  const { t, money, country } = useWords();
  return (
    <Table
      label={t('personalData')}
      rows={linesOf(person, country)}
      rowKey={({ id }) => id}
      empty={<Empty title={t('nothingStored')} text={t('nothingStoredText', { name })} />}
      columns={[
        { title: t('kind'), cell: ({ kind }) => t(kind) },
        { title: t('known'), cell: ({ known }) => known.join(', ') },
        {
          title: t('amount'),
          align: 'end',
          cell: ({ amount }) => amount && <span className="number">{money(amount.amount, amount.currency)}</span>,
        },
        { title: t('created'), align: 'end', cell: ({ created }) => <Time at={created} /> },
      ]}
    />
  );
}

function EraseDialog(props: {
  readonly name: string;
  readonly onErased: (erasure: Erasure) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { name, onErased, onClose } = props;
  const [typed, setTyped] = useState('');
  const erase = async () => {
    await onErased({ ...(await call(erasePerson, { payeeId, body: whomOf(name) })), name });
    return undefined;
  };
  return (
    <FormDialog
      title={t('erase')}
      submit={t('erase')}
      danger
      isReady={typed === name}
      onSubmit={erase}
      done={null}
      onClose={onClose}
    >
      <p>{t('eraseText')}</p>
      <Field label={t('typeToConfirm', { text: name })} value={typed} onChange={setTyped} isRequired autoFocus />
    </FormDialog>
  );
}

/** What was erased of whom, by whom and when, and what stays: for the person who asked. */
function Receipt({ erasure, onClose }: { readonly erasure: Erasure; readonly onClose: () => void }) {
  const { t, number, exact } = useWords();
  const { session } = useSession();
  const { name, erased, at } = erasure;
  return (
    <Dialog title={t('erasedReceipt')} onClose={onClose}>
      <Facts
        facts={[
          [t('payerOrEmail'), name],
          [t('who'), session.name],
          [t('time'), at === null ? null : exact(at)],
          [t('orders'), number(erased.orders)],
          [t('payments'), number(erased.payments)],
          [t('payerTokens'), number(erased.tokens)],
          [t('deletedTokens'), number(erased.tombstones)],
          [t('giftCards'), number(erased.giftCards)],
        ]}
      />
      <p>{t('erasedStays')}</p>
      <div className="dialog-foot">
        <Button kind="primary" onPress={onClose}>
          {t('close')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Without a name of the person: names of files are kept in many places too. */
function download(person: Person): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(person, null, 2)], { type: 'application/json' }));
  link.download = 'payer.json';
  link.click();
  URL.revokeObjectURL(link.href);
}
