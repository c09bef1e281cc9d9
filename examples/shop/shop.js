/* Shows the payment on the shop's own page. `kontor` comes from the script that is loaded before this one. */

const container = document.getElementById('payment');
const news = document.getElementById('news');
const { culture, order } = container.dataset;
const colours = getComputedStyle(document.documentElement);
const colour = (name) => colours.getPropertyValue(name).trim();

const view = kontor.hostedView.creditCard({
  container,
  culture,
  style: {
    accent: colour('--accent'),
    accentText: colour('--accent-ink'),
    background: colour('--card'),
    text: colour('--ink'),
    radius: '10px',
  },
  onPaymentCompleted: () => leave(),
  onPaymentFailed: () => leave(),
  onPaymentCanceled: () => {
    view.close();
    leave();
  },
  onPaymentTransactionFailed: () => tell('That card was declined. Another one may work.'),
  onError: ({ details }) => tell(details),
});
view.open();

/** The order's page asks Kontor what became of the payment: what a browser says is not proof. */
function leave() {
  location.assign(order);
}

function tell(text) {
  news.textContent = text;
}
