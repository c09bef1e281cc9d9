import { linkTo } from './orders.mjs';

const LANGUAGES = { 'nb-NO': 'Norsk', 'sv-SE': 'Svenska', 'da-DK': 'Dansk', 'fi-FI': 'Suomi', 'en-US': 'English' };
const PRICE = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'SEK' });

/** What is sold, and the orders so far. */
export function frontPage(orders) {
  const languages = Object.entries(LANGUAGES).map(
    ([code, name]) => `<option value="${code}"${code === 'en-US' ? ' selected' : ''}>${name}</option>`,
  );
  return page(
    'Tea, monthly',
    `<div class="product">
<div class="picture" role="img" aria-label="A box of tea"></div>
<form method="post" action="/orders">
<p class="kicker">The box of November</p>
<h1>Sencha, Assam and a quiet evening</h1>
<p>Three teas of 50 g each, picked by people who drink too much of it.</p>
<p class="price">${money(24_900)} <small>with VAT</small></p>
<label class="choice"><input type="checkbox" name="monthly"> A box every month, paid with the same card</label>
<label class="choice"><input type="checkbox" name="keep"> Keep my card for the next time</label>
<label class="field">Language of the payment <select name="language">${languages.join('')}</select></label>
<div class="buttons">
<button name="how" value="redirect">Go and pay</button>
<button name="how" value="view" class="second">Pay right here</button>
</div>
</form>
</div>
${orders.length === 0 ? '' : `<h2>My orders</h2>\n<ul class="orders">${orders.map(orderLine).join('\n')}</ul>`}`,
  );
}

function orderLine(order) {
  return `<li><a href="/orders/${order.id}">${name(order)}</a> <span>${stateOf(order.answer).label}</span></li>`;
}

/** An order whose payer pays here: the view's frame goes into the container. */
export function viewPage(order) {
  const script = linkTo(order.answer, 'view-authorization');
  if (script === undefined) return orderPage(order);
  return page(
    'Pay',
    `<p class="kicker">${name(order)}</p>
<h1>Pay for your tea</h1>
<div id="payment" data-culture="${escaped(order.language)}" data-order="/orders/${order.id}"></div>
<p id="news" role="status"></p>
<script src="${escaped(script)}"></script>
<script src="/shop.js"></script>`,
  );
}

/** What became of an order. */
export function orderPage(order) {
  const { payment } = order.answer;
  const { label, text } = stateOf(order.answer);
  return page(
    name(order),
    `<p class="kicker">${name(order)}</p>
<h1>${label}</h1>
<p>${text}</p>
<div class="buttons">${nextSteps(order).join('\n')}</div>
<h2>What the shop sees</h2>
<dl>
<dt>Payment</dt><dd><code>${escaped(payment.id)}</code></dd>
<dt>Number</dt><dd>${payment.number}</dd>
<dt>State</dt><dd>${escaped(payment.state)}</dd>
<dt>Transactions</dt><dd>${transactionsOf(payment)}</dd>
<dt>Tokens made</dt><dd>${tokensOf(payment)}</dd>
<dt>Callbacks heard</dt><dd>${order.told.length === 0 ? 'none yet' : order.told.map((number) => `transaction ${number}`).join(', ')}</dd>
</dl>`,
  );
}

function nextSteps(order) {
  const { payment, operations } = order.answer;
  const has = (rel) => operations.some((one) => one.rel === rel);
  const redirect = linkTo(order.answer, 'redirect-authorization');
  const isMonthly = payment.paid?.tokens?.some(({ type }) => type === 'recurrence');
  return [
    ...(redirect === undefined ? [] : [`<a class="button" href="${escaped(redirect)}">Pay</a>`]),
    ...(has('create-capture') ? [post(`/orders/${order.id}/capture`, 'Send the tea (take the money)')] : []),
    ...(isMonthly ? [post(`/orders/${order.id}/again`, 'Next month: charge the card again')] : []),
  ];
}

function post(address, label) {
  return `<form method="post" action="${address}"><button class="second">${label}</button></form>`;
}

function transactionsOf({ transactions }) {
  const list = transactions?.transactionList ?? [];
  if (list.length === 0) return 'none yet';
  return list.map(({ type, state, amount }) => `${escaped(type)} ${money(amount)}: ${escaped(state)}`).join('<br>');
}

function tokensOf({ paid }) {
  if (!paid?.tokens?.length) return 'none';
  return paid.tokens
    .map(({ type, token, name }) => `${escaped(type)} of ${escaped(name)}: <code>${escaped(token)}</code>`)
    .join('<br>');
}

/** A payment's state in the words of a shop. */
function stateOf({ payment, operations }) {
  const has = (rel) => operations.some((one) => one.rel === rel);
  if (has('create-capture')) return { label: 'Thank you!', text: 'It is paid for. We pack your tea.' };
  if (has('paid-payment')) return { label: 'On its way', text: 'Your tea is on its way to you.' };
  if (payment.state === 'Pending')
    return { label: 'A moment', text: 'Your bank has not answered yet. Look again soon.' };
  if (payment.state === 'Ready') return { label: 'Not paid yet', text: 'Your tea waits until it is paid for.' };
  return { label: 'Not paid', text: 'The payment did not work. Your order was not placed.' };
}

/** A page that only says something. */
export function messagePage(title, text) {
  return page(title, `<h1>${escaped(title)}</h1>\n<p>${escaped(text)}</p>\n<p><a href="/">To the shop</a></p>`);
}

function name({ id }) {
  return `Order ${id.slice(0, 8)}`;
}

function money(amount) {
  return PRICE.format(amount / 100);
}

function escaped(text) {
  return String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function page(title, body) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · The tea shop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
</head>
<body>
<header><a href="/">The tea shop</a><span>Dagny is logged in</span></header>
<main>
${body}
</main>
</body>
</html>
`;
}
