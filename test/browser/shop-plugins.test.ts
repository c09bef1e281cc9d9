import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser } from '../support/payer/browser.ts';
import { type Look, nameOf, oneLook, SEES_ALL } from '../support/payer/looks.ts';
import { addGiftCard, openCardForm } from '../support/payer/order-walk.ts';
import { type Place, pay } from '../support/payer/payer.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { collectionOrder, MEANS, type Means } from '../support/shop/existing-clients.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { hrefOf, type OrdersShop, ordersShop } from '../support/shop/orders-shop.ts';
import { type ShopSite, shopSite } from '../support/shop/shop-site.ts';

/** A plug-in: how it makes an order, which of its operations it follows, and what its page script hears. */
const PLUGINS = [
  {
    version: '3.0',
    way: 'checkout',
    more: '"productName":"Checkout3","implementation":null,"metadata":{"order_id":7},',
    rels: { redirect: 'redirect-checkout', view: 'view-checkout', capture: 'capture' },
    loaded: ['onCheckoutLoaded'],
    selected: 'onInstrumentSelected',
    paid: (instrument: string) => [
      `onPaymentButtonPressed ${instrument}`,
      `onPaymentAttemptStarted ${instrument}`,
      'onPaid',
    ],
  },
  {
    version: '2.0',
    way: 'paymentMenu',
    more: '',
    rels: {
      redirect: 'redirect-paymentorder',
      view: 'view-paymentorder',
      capture: 'create-paymentorder-capture',
    },
    loaded: ['onApplicationConfigured CreditCard', 'onPaymentCreated CreditCard'],
    selected: 'onPaymentMenuInstrumentSelected',
    paid: (instrument: string) => [`onPaymentCompleted ${instrument}`],
  },
] as const;
type Plugin = (typeof PLUGINS)[number];

// In `npm run test:browser` alone. What such a shop's server sends beside it is in test/orders/existing-clients.test.ts.
describe.skipIf(!SEES_ALL)('a shop plug-in that was written for another name', () => {
  describeInBrowser('takes an order', (browser) => {
    let kontor: TestService;
    let site: ShopSite;
    let shop: OrdersShop;
    beforeAll(async () => {
      [kontor, site] = await Promise.all([
        testService({ KONTOR_REQUESTS_PER_MINUTE: '0', KONTOR_VIEW_GLOBALS: 'anotherName,formerName' }),
        shopSite(),
      ]);
      shop = ordersShop(kontor);
    });
    afterAll(() => Promise.all([kontor.stop(), site.stop()]));

    async function placeOrder({ more, version }: Plugin): Promise<Answer> {
      const body = collectionOrder(kontor.payeeId, shop.reference(), { more, origin: site.origin });
      const made = await shop.send('POST', '/psp/paymentorders', body);
      expect(made.headers.get('content-type')).toContain(`version=${version}`);
      return made;
    }

    /** Pays what is on the page, as a payer does who has these means. */
    async function payBy(place: Place, { giftCard }: Means): Promise<void> {
      if (giftCard > 0) await addGiftCard(place, await cardSeller(kontor).issue(giftCard));
      if (giftCard === 10_000) return place.locator('#submit-gift').click();
      await openCardForm(place);
      await pay(place);
    }

    /** What the order came to as the plug-in's server sees it, which then sends the goods. */
    async function expectPaid(made: Answer, { rels }: Plugin, { giftCard, lead }: Means): Promise<void> {
      const { id } = made.body.paymentOrder;
      const now = await shop.get(id, { expand: 'paid' });
      const { legs } = now.body.paymentOrder;
      const amounts = (legs as readonly { readonly amount: number }[]).map(({ amount }) => amount);
      expect(amounts).toEqual([giftCard, 10_000 - giftCard].filter((amount) => amount > 0));
      expect(now.body.paymentOrder.paid.instrument).toBe(lead === 'creditcard' ? 'CreditCard' : 'GiftCard');
      const transaction = { amount: 10_000, vatAmount: 0, description: 'all', payeeReference: shop.reference() };
      const captured = await shop.send('POST', hrefOf(now, rels.capture), { transaction });
      expect(captured.status, captured.text).toBe(200);
    }

    let number = 31;
    const walks = (name: string, walk: (plugin: Plugin, means: Means, look: Look) => Promise<void>) =>
      describe.each(PLUGINS)(`${name}, of $version`, (plugin) => {
        for (const means of MEANS) {
          for (const look of oneLook(number++)) {
            test(`paid with ${means.by}, ${nameOf(look)}`, () => walk(plugin, means, look));
          }
        }
      });

    walks('by redirect', async (plugin, means, look) => {
      const made = await placeOrder(plugin);
      const window = await browser.open(hrefOf(made, plugin.rels.redirect), look);
      await payBy(window, means);
      await window.waitForURL(`${site.origin}/ok`);
      await expectPaid(made, plugin, means);
    });

    walks('in its own page', async (plugin, means, look) => {
      const made = await placeOrder(plugin);
      const page = { way: plugin.way, name: 'formerName', culture: look.locale };
      const window = await browser.open(site.pluginPage({ ...page, href: hrefOf(made, plugin.rels.view) }), look);
      await window.locator('#open').click();
      await payBy(window.frameLocator('iframe'), means);
      await window.waitForURL(`${site.origin}/received?*`);
      const { searchParams } = new URL(window.url());
      expect(searchParams.get('redirectUrl')).toBe(`${site.origin}/ok`);
      const last = means.lead === 'creditcard' ? 'CreditCard' : 'GiftCard';
      const opened = [...(means.giftCard > 0 ? ['GiftCard'] : []), ...(last === 'CreditCard' ? [last] : [])];
      expect(searchParams.get('told')?.split(',')).toEqual([
        ...plugin.loaded,
        ...opened.map((instrument) => `${plugin.selected} ${instrument}`),
        ...plugin.paid(last),
      ]);
      await expectPaid(made, plugin, means);
    });

    test('shows the same order once more in the place of the first, once its amount is another', async () => {
      const [look] = oneLook(number);
      const plugin = PLUGINS[1];
      const made = await placeOrder(plugin);
      const page = { way: plugin.way, name: 'formerName', culture: 'en-US' };
      const href = hrefOf(made, plugin.rels.view);
      const window = await browser.open(site.pluginPage({ ...page, href }), look as Look);
      await window.locator('#open').click();
      const frame = window.frameLocator('iframe');
      await openCardForm(frame);
      const paymentorder = { operation: 'UpdateOrder', amount: 9000, vatAmount: 0, orderItems: [] };
      const updated = await shop.send('PATCH', hrefOf(made, 'update-paymentorder-updateorder'), { paymentorder });
      expect(updated.status, updated.text).toBe(200);
      await window.locator('#open').click();
      await frame.locator('.total').filter({ hasText: '90.00' }).first().waitFor();
      expect(await window.locator('iframe').count()).toBe(1);
      await openCardForm(frame);
      await pay(frame);
      await window.waitForURL(`${site.origin}/received?*`);
    });
  });
});
