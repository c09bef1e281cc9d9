import type { NavigateOptions } from '@tanstack/react-router';
import type { OperationId } from '../api/endpoints.types.ts';
import type { Translate, WordKey } from '../words/words.tsx';

/** Where the palette leads with what was typed. */
export interface LookUp {
  readonly name: string;
  readonly title: (t: Translate) => string;
  /** The operation that the screen begins with: a user who may not call it is not led there. */
  readonly needs: OperationId;
  readonly to: NavigateOptions;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a text may name: an id does not show what it is of, so each kind of thing is offered. */
export function lookUps(text: string): readonly LookUp[] {
  if (text === '') return [];
  return UUID.test(text) ? byId(text.toLowerCase()) : byText(text);
}

function byId(id: string): readonly LookUp[] {
  const one = (name: WordKey, needs: OperationId, to: NavigateOptions): LookUp => ({
    name: `look-up-${name}`,
    title: (t) => `${t(name)} ${id}`,
    needs,
    to,
  });
  return [
    one('payment', 'getPaymentStory', { to: '/payments/$paymentId', params: { paymentId: id } }),
    one('order', 'getOrderStory', { to: '/orders/$orderId', params: { orderId: id } }),
    one('giftCard', 'getGiftCardStory', { to: '/gift-cards/$accountId', params: { accountId: id } }),
    one('account', 'getLedgerAccount', { to: '/ledger/accounts/$accountId', params: { accountId: id } }),
    one('movement', 'getMovement', { to: '/ledger/movements/$movementId', params: { movementId: id } }),
    one('webhook', 'getWebhookRates', { to: '/webhooks/$webhookId', params: { webhookId: id } }),
    one('request', 'getCall', { to: '/calls/$callId', params: { callId: id } }),
    {
      name: 'look-up-session',
      title: (t) => t('callsOf', { id }),
      needs: 'listCalls',
      to: { to: '/calls', search: { sessionId: id } },
    },
  ];
}

function byText(text: string): readonly LookUp[] {
  return [
    {
      name: 'look-up-payment',
      title: (t) => t('findPayment', { text }),
      needs: 'searchPayments',
      to: { to: '/payments', search: { search: text } },
    },
    {
      name: 'look-up-order',
      title: (t) => t('findOrder', { text }),
      needs: 'searchOrders',
      to: { to: '/orders', search: { search: text } },
    },
    {
      name: 'look-up-payer',
      title: (t) => t('findPayer', { text }),
      needs: 'searchPayers',
      to: { to: '/tokens', search: { search: text } },
    },
  ];
}
