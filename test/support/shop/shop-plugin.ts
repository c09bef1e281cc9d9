/** Shop plug-ins whose page script was written for another name than ours: for orders of 3.x, and for those of 2.0. */
export type PluginWay = 'checkout' | 'paymentMenu';

/** What such a page needs. */
export interface PluginPage {
  readonly way: PluginWay;
  /** The address of the operation that shows an order in the page. */
  readonly href: string;
  /** The name that the page script was written for. */
  readonly name: string;
  readonly culture: string;
}

/**
 * A shop's last page before payment, as a plug-in makes it: a button that loads the view script by the page's own one. What its handlers
 * hear it counts in `told`, and when all is paid it takes `told` along to the address `/received`.
 */
export function pluginHtml({ way, href, name, culture }: PluginPage): string {
  return `<h1>Checkout</h1>
<button id="open">Place order</button>
<div id="plugin-container"></div>
<script>
const told = [];
const hear = (handler) => ({ instrument, redirectUrl }) => {
  told.push(instrument === undefined ? handler : handler + ' ' + instrument);
  if (redirectUrl !== undefined) location.href = '/received?' + new URLSearchParams({ told: told.join(), redirectUrl });
};
let script = null;
function loadView(address, begin) {
  if (script !== null) script.remove();
  script = document.createElement('script');
  script.setAttribute('src', address);
  script.onload = begin;
  script.onerror = () => told.push('no script');
  document.head.appendChild(script);
}
${way === 'checkout' ? checkout(name, culture) : paymentMenu(name, culture)}
document.getElementById('open').addEventListener('click', () => placeOrder(${JSON.stringify(href)}));
</script>`;
}

/** Asks its own server before anything is charged, as one whose goods may be sold out meanwhile. */
function checkout(name: string, culture: string): string {
  return `let checkout = null;
const begin = () => {
  checkout = window.${name}.hostedView.checkout({
    container: { checkout: 'plugin-container' },
    culture: '${culture}',
    onCheckoutLoaded: hear('onCheckoutLoaded'),
    onInstrumentSelected: hear('onInstrumentSelected'),
    onPaymentButtonPressed(event) {
      hear('onPaymentButtonPressed')(event);
      const { id: paymentOrderId } = event.paymentOrder;
      const resume = (confirmation) => ${name}.hostedView.checkout().resume({ paymentOrderId, confirmation });
      fetch('/in-stock').then(({ ok }) => resume(ok), () => resume(false));
    },
    onPaymentAttemptStarted: hear('onPaymentAttemptStarted'),
    onPaymentAttemptFailed: hear('onPaymentAttemptFailed'),
    onPaid: hear('onPaid'),
    onAborted: hear('onAborted'),
    onError: hear('onError'),
    onOutOfViewRedirect: hear('onOutOfViewRedirect'),
  });
  checkout.open('checkout');
};
const placeOrder = (address) => loadView(address, begin);`;
}

/** Closes what it showed before, wherever it has placed the order anew. */
function paymentMenu(name: string, culture: string): string {
  return `let menu = null;
const begin = () => {
  menu = window.${name}.hostedView.paymentMenu({
    container: 'plugin-container',
    culture: '${culture}',
    style: null,
    onApplicationConfigured: hear('onApplicationConfigured'),
    onPaymentMenuInstrumentSelected: hear('onPaymentMenuInstrumentSelected'),
    onPaymentCreated: hear('onPaymentCreated'),
    onPaymentCompleted: hear('onPaymentCompleted'),
    onPaymentCanceled: hear('onPaymentCanceled'),
    onPaymentFailed: hear('onPaymentFailed'),
    onPaymentTransactionFailed: hear('onPaymentTransactionFailed'),
    onPaymentToS: hear('onPaymentToS'),
    onError: hear('onError'),
    onExternalRedirect: hear('onExternalRedirect'),
  });
  menu.open();
};
const placeOrder = (address) => {
  if (window.hasOwnProperty('${name}') && typeof window.${name}.hostedView.paymentMenu !== 'undefined') {
    window.${name}.hostedView.paymentMenu().close();
  }
  loadView(address, begin);
};`;
}
