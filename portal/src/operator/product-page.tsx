import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { GiftCardProduct } from '../../../client/kontor.generated.ts';
import { follow, offers } from '../api/call.ts';
import { useList } from '../api/lists.ts';
import { getGiftCardLiability, listActivity, listGiftCardProducts } from '../api/operations.generated.ts';
import { usePayees, useRead } from '../api/queries.ts';
import { NotFound } from '../app/not-found.tsx';
import { useSession } from '../app/session.tsx';
import { ProductBadge } from '../gift-cards/product-badge.tsx';
import { ValueLimits } from '../gift-cards/value-limits.tsx';
import { Actor } from '../parts/actor.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Empty, SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';

/** One gift-card product of any payee: its terms, what is owed on its cards, and who changed it. */
export function ProductPage() {
  const { t } = useWords();
  const { payeeId, productId } = useParams({ from: '/gate/operator/$payeeId/$productId' });
  const { data, error } = useRead(listGiftCardProducts, { payeeId });
  const product = data?.products.find((one) => one.productId === productId);
  if (data !== undefined && product === undefined) return <NotFound />;
  return (
    <Page
      title={product?.name ?? t('product')}
      beside={product !== undefined && <ProductBadge state={product.state} />}
      back={
        <Link to="/operator" search={{ tab: 'products' }} className="back">
          <Back>{t('products')}</Back>
        </Link>
      }
      actions={product !== undefined && <ProductActions product={product} payeeId={payeeId} />}
    >
      {product === undefined ? (
        error === null ? (
          <SkeletonLines />
        ) : (
          <ProblemNote error={error} />
        )
      ) : (
        <div className="stack">
          <section className="card">
            <ProductFacts product={product} payeeId={payeeId} />
          </section>
          <History payeeId={payeeId} productId={productId} />
        </div>
      )}
    </Page>
  );
}

interface OfPayee {
  readonly product: GiftCardProduct;
  readonly payeeId: string;
}

function ProductActions({ product, payeeId }: OfPayee) {
  const { t } = useWords();
  const { choosePayee } = useSession();
  const navigate = useNavigate();
  const [isRetiring, setIsRetiring] = useState(false);
  const showCards = () => {
    choosePayee(payeeId);
    void navigate({ to: '/gift-cards' });
  };
  return (
    <>
      <Button onPress={showCards}>{t('giftCards')}</Button>
      {offers(product, 'retire-product') && (
        <Button kind="danger" onPress={() => setIsRetiring(true)}>
          {t('retire')}
        </Button>
      )}
      {isRetiring && (
        <Confirm
          title={t('retire')}
          text={t('retireText', { name: product.name })}
          submit={t('retire')}
          act={() => follow(product, 'retire-product', { payeeId })}
          onClose={() => setIsRetiring(false)}
        />
      )}
    </>
  );
}

function ProductFacts({ product, payeeId }: OfPayee) {
  const { t, money, number, exact } = useWords();
  const payee = usePayees().data?.payees.find((one) => one.payeeId === payeeId);
  const { data } = useRead(getGiftCardLiability, { payeeId });
  const owed = data?.outstanding.filter(({ productId }) => productId === product.productId) ?? [];
  const { currency, allowedProductIds, numberPrefix, numberLength, retired } = product;
  const cards = owed.reduce((sum, one) => sum + one.cards, 0);
  return (
    <Facts
      facts={[
        [t('payee'), payee?.name ?? payeeId],
        [t('id'), <Copyable key="id" text={product.productId} />],
        [
          t('cardNumber'),
          <span key="n" className="mono">
            {numberPrefix.padEnd(numberLength, '·')}
          </span>,
        ],
        [t('validity'), t('months', { count: product.validityMonths })],
        [t('smallestAmount'), money(product.smallestAmount, currency)],
        [t('largestAmount'), money(product.largestAmount, currency)],
        [t('largestBalance'), money(product.largestBalance, currency)],
        [t('allowedProducts'), allowedProductIds.length === 0 ? t('anything') : allowedProductIds.join(', ')],
        [t('valueLimits'), <ValueLimits key="l" product={product} />],
        [t('mergeKeepsLimits'), t(product.mergeKeepsLimits ? 'yes' : 'no')],
        [t('codeNeeded'), t(product.cvcRequired ? 'yes' : 'no')],
        [t('defaultProduct'), t(product.isDefault ? 'yes' : 'no')],
        [t('cards'), data === undefined ? undefined : number(cards)],
        [t('owed'), owed.length === 0 ? undefined : owed.map((one) => money(one.amount, one.currency)).join(', ')],
        [t('created'), exact(product.created)],
        [t('retired'), retired === undefined ? undefined : exact(retired)],
      ]}
    />
  );
}

function History({ payeeId, productId }: { readonly payeeId: string; readonly productId: string }) {
  const { t } = useWords();
  const list = useList(listActivity, { payeeId, query: { objectKind: 'gift-card-product', objectId: productId } });
  return (
    <section className="stack-small">
      <h2>{t('history')}</h2>
      <Table
        label={t('history')}
        rows={list.rows}
        error={list.error}
        rowKey={({ activityId }) => activityId}
        empty={<Empty title={t('noActivity')} />}
        foot={<ListFoot list={list} />}
        columns={[
          { title: t('what'), cell: ({ action }) => <Named group="action" raw={action} /> },
          { title: t('who'), cell: ({ actorName, actor }) => <Actor actor={actor} name={actorName} /> },
          { title: t('time'), align: 'end', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
        ]}
      />
    </section>
  );
}
