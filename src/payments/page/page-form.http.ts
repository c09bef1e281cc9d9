import type { PageTexts } from '../../../locales/page-texts.types.ts';
import { html, type Markup } from '../../http/pages/markup.ts';
import { codeLengthOf, isCodeOptional } from '../../kit/cards/brands.ts';
import { oldestMonthOf } from '../../kit/instants.ts';
import { brandMark, brandSprite, DRAWN_BRANDS } from './brand-marks.http.ts';
import { seenIn } from './menu.rules.ts';
import type { FieldName, StoredCard } from './page.types.ts';
import { alertBox, type Sent } from './page-alert.http.ts';
import {
  addressOf,
  amountIn,
  amountShown,
  isPricedByCard,
  nameOf,
  type PageContext,
  say,
} from './page-context.http.ts';
import { orderItems, payText } from './split.http.ts';

/** Nothing was sent yet. */
export const NOTHING_SENT: Sent = { faults: {}, fields: new Map() };

/** The form that a payer pays with, and what says what is wrong with it. */
export function payForm(context: PageContext, sent: Sent): Markup {
  return html`${alertBox(context, sent)}
${cardForm(context, sent)}`;
}

/** The form for a card, and what belongs to it. */
export function cardForm(context: PageContext, sent: Sent): Markup {
  const { page, texts } = context;
  const { terms } = page.payment;
  const chosen = sent.fields.get('card') ?? page.storedCards[0]?.token ?? 'new';
  const brand = page.storedCards.find(({ token }) => token === chosen)?.brand;
  return html`${brandSprite([...page.brands, ...page.storedCards.map(({ brand }) => brand)])}
<form id="pay" method="post" action="${addressOf(context)}" novalidate data-texts="${scriptTexts(context)}" data-amounts="${scriptAmounts(context)}" data-month="${oldestMonthOf(page.now)}">
<input type="hidden" name="attempt" value="${context.attempt}">
${page.menu !== undefined && html`<input type="hidden" name="seen" value="${seenIn(page.menu)}">`}
${page.storedCards.length > 0 && storedCards(context, chosen, sent)}
<div class="fields">
${numberField(context, sent)}
${textField(texts, {
  name: 'expiry',
  label: texts.expiry,
  hint: texts.expiryHint,
  attributes: html`inputmode="numeric" autocomplete="cc-exp" maxlength="40" placeholder="${texts.expiryHint}"`,
  value: kept(sent, 'expiry'),
  fault: sent.faults.expiry,
})}
${
  terms.cards.noCvc !== true &&
  textField(texts, {
    name: 'cvc',
    label: texts.cvc,
    hint: texts[cvcHintFor(brand)],
    attributes: html`inputmode="numeric" autocomplete="cc-csc" maxlength="20"`,
    fault: sent.faults.cvc,
  })
}
${textField(texts, {
  name: 'name',
  label: html`${texts.name} <span class="optional">(${texts.optional})</span>`,
  attributes: html`autocomplete="cc-name" maxlength="100" spellcheck="false"`,
  value: kept(sent, 'name'),
  fault: sent.faults.name,
})}
</div>
${(page.consent === 'Required' || page.consent === 'Optional') && consent(context, sent)}
${termsLine(context)}
<button id="submit" class="primary" type="submit"><span id="submit-label">${buttonText(context)}</span></button>
<p id="processing" class="processing" role="status"></p>
${page.consent === 'Stated' && stated(context)}
</form>
${page.storedCards.map((card, index) => removal(context, card, index))}`;
}

function cvcHintFor(brand: string | undefined): 'cvcHint' | 'cvcHintAmex' | 'cvcHintOptional' {
  if (isCodeOptional(brand)) return 'cvcHintOptional';
  return codeLengthOf(brand) === 4 ? 'cvcHintAmex' : 'cvcHint';
}

/** What was typed into a field, to be shown again; not what could be a card number in the wrong place. */
function kept({ fields }: Sent, name: FieldName): string | undefined {
  const text = fields.get(name);
  return text === undefined || text.replace(/\P{N}/gu, '').length > MOST_DIGITS ? undefined : text;
}

/** Digits of an expiry in full. A name has none. */
const MOST_DIGITS = 6;

/** What becomes of the card where the payee vouches that its payer has agreed. */
function stated(context: PageContext): Markup {
  const { generate } = context.page.payment.terms;
  const isCharged = generate.some((type) => type !== 'Payment');
  return html`${generate.includes('Payment') && html`<p class="terms">${say(context, 'statedChoose')}</p>`}${isCharged && html`<p class="terms">${say(context, 'consentStored')}</p>`}`;
}

interface Field {
  readonly name: FieldName;
  readonly label: string | Markup;
  readonly hint?: string;
  readonly attributes: Markup;
  readonly value?: string | undefined;
  readonly fault: keyof PageTexts | undefined;
}

/** A field of one line, with what is said beside it. */
export function textField(texts: PageTexts, { name, label, hint, attributes, value, fault }: Field): Markup {
  const described = [...(hint === undefined ? [] : [`${name}-hint`]), `${name}-error`].join(' ');
  return html`<div class="field field-${name}">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes}${value !== undefined && html` value="${value}"`} aria-describedby="${described}"${fault !== undefined && html` aria-invalid="true"`}>
${hint !== undefined && html`<p id="${name}-hint" class="hint">${hint}</p>`}
${faultLine(texts, name, fault)}
</div>`;
}

function numberField({ page, texts }: PageContext, { faults }: Sent): Markup {
  return html`<div class="field field-number">
<label for="number">${texts.number}</label>
<div class="with-marks">
<input id="number" name="number" inputmode="numeric" autocomplete="cc-number" maxlength="120" aria-describedby="number-error"${faults.number !== undefined && html` aria-invalid="true"`}>
<span class="marks">${DRAWN_BRANDS.filter((brand) => page.brands.includes(brand)).map(brandMark)}</span>
</div>
${faultLine(texts, 'number', faults.number)}
</div>`;
}

function faultLine(texts: PageTexts, name: FieldName, fault: keyof PageTexts | undefined): Markup {
  return html`<p id="${name}-error" class="error"${fault === undefined && html` hidden`}>${fault !== undefined && texts[fault]}</p>`;
}

function storedCards(context: PageContext, chosen: string, { faults }: Sent): Markup {
  const { page, texts } = context;
  const choice = (card: StoredCard, index: number) => html`<li class="choice">
<input type="radio" id="card-${index}" name="card" value="${card.token}" data-brand="${card.brand}"${chosen === card.token && html` checked`}>
<label for="card-${index}">${brandMark(card.brand)}<span class="card-name">${nameOf(card)}</span> <span class="soft">${say(context, 'expires', { expiry: card.expiry })}</span></label>
<button class="quiet" type="submit" form="remove-${index}" aria-label="${say(context, 'removeCard', { card: nameOf(card) })}">${texts.remove}</button>
</li>`;
  return html`<fieldset class="stored">
<legend>${texts.storedCards}</legend>
<ul>
${page.storedCards.map(choice)}
<li class="choice"><input type="radio" id="card-new" name="card" value="new"${!page.storedCards.some(({ token }) => token === chosen) && html` checked`}>
<label for="card-new"><span class="card-name">${texts.anotherCard}</span></label></li>
</ul>
${faultLine(texts, 'card', faults.card)}
</fieldset>`;
}

/** A form of its own for each card, because forms do not nest; its button stands in the list. It asks before it removes. */
function removal(context: PageContext, { token }: StoredCard, index: number): Markup {
  return html`<form id="remove-${index}" method="post" action="${addressOf(context, '/remove')}"><input type="hidden" name="token" value="${token}"></form>
`;
}

/**
 * A payer agrees to what becomes of a card that they type, or need not where the payee leaves it to them: which token is made
 * decides what they are asked. Of a stored card they are told.
 */
function consent(context: PageContext, { faults, fields }: Sent): Markup {
  const { page, texts } = context;
  const { generate } = page.payment.terms;
  const isChosen = generate.includes('Payment');
  const isCharged = generate.some((type) => type !== 'Payment');
  const text = isChosen && isCharged ? 'consentBoth' : isChosen ? 'consentChoose' : 'consentCharge';
  const isRequired = page.consent === 'Required';
  return html`<div class="field field-consent">
<div class="check">
<input type="checkbox" id="consent" name="consent" value="yes"${isRequired && html` aria-required="true"`} aria-describedby="consent-error"${fields.get('consent') !== undefined && html` checked`}${faults.consent !== undefined && html` aria-invalid="true"`}>
<label for="consent">${say(context, text)}${!isRequired && html` <span class="optional">(${texts.optional})</span>`}</label>
</div>
${faultLine(texts, 'consent', faults.consent)}
</div>
${isRequired && isCharged && page.storedCards.length > 0 && html`<p class="terms of-stored">${say(context, 'consentStored')}</p>`}`;
}

/** That the payee's terms are accepted by paying: beside each button that pays. */
export function termsLine(context: PageContext): Markup | undefined {
  const { texts, page } = context;
  const { termsOfServiceUrl } = page.payment.terms.urls;
  if (termsOfServiceUrl === undefined) return undefined;
  const [before, after = ''] = say(context, 'terms').split('{link}');
  return html`<p class="terms">${before}<a class="terms-link" href="${termsOfServiceUrl}" target="_blank" rel="noopener noreferrer">${texts.termsLink}<span class="hidden"> (${texts.newWindow})</span></a>${after}</p>`;
}

/** The way back to the payee, which the service has to agree to: see `leave-page.ts`. */
export function cancelForm(context: PageContext): Markup | undefined {
  const isOfOrder = context.page.menu !== undefined;
  // In a frame the page around it has the order cancelled, by the view.
  const isUnseen = isOfOrder && context.isFramed;
  if (context.page.payment.terms.urls.cancelUrl === undefined && !isUnseen) return undefined;
  return html`<form id="leave" method="post" action="${addressOf(context, '/cancel')}"${context.isFramed && html` target="_top"`}${isUnseen && html` hidden`}>
<input type="hidden" name="attempt" value="${context.attempt}">
<button id="cancel" class="quiet">${say(context, 'cancel')}</button>
</form>`;
}

function buttonText(context: PageContext): string {
  const { operation } = context.page.payment;
  if (operation === 'Verify') return context.texts[isToSave(context) ? 'saveButton' : 'checkButton'];
  if (context.page.menu !== undefined) return payText(context, context.page.menu);
  return isPricedByCard(context) ? context.texts.payNow : say(context, 'payButton');
}

/** What the script says where the server has not been asked. */
function scriptTexts(context: PageContext): string {
  const { texts } = context;
  const { noCvc = false } = context.page.payment.terms.cards;
  const names = [
    'numberMissing',
    'numberWrong',
    'expiryMissing',
    'expiryWrong',
    'expiryPast',
    ...(noCvc
      ? []
      : (['cvcMissing', 'cvcWrong', 'cvcWrongAmex', 'cvcHint', 'cvcHintAmex', 'cvcHintOptional'] as const)),
    'consentMissing',
    'errorsTitle',
    'troubleTitle',
    'processing',
    'doNotClose',
    'notSent',
  ] as const;
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, texts[name]])));
}

/** What the button says for each brand, where that differs. */
function scriptAmounts(context: PageContext): string {
  const { prices } = context.page.payment.terms;
  if (!isPricedByCard(context)) return '{}';
  return JSON.stringify(
    Object.fromEntries(
      prices.map(({ type, amount }) => [type, say(context, 'payButton', { amount: amountIn(context, amount) })]),
    ),
  );
}

/** What is paid for, and how much: at the head of the page. */
export function summary(context: PageContext): Markup {
  const { page, texts } = context;
  const { description, prices } = page.payment.terms;
  const isVerify = page.payment.operation === 'Verify';
  return html`<div class="summary">
<h1>${isVerify ? verifyTitle(context) : say(context, 'payTitle')}</h1>
${!isVerify && !isPricedByCard(context) && html`<p class="amount"><span class="hidden">${texts.total}: </span><span class="total">${amountShown(context)}</span></p>`}
${
  isPricedByCard(context) &&
  html`<dl class="prices">${prices.map(
    ({ type, amount }) =>
      html`<div><dt>${type === 'CreditCard' ? texts.total : say(context, 'priceByCard', { card: type })}</dt><dd>${amountIn(context, amount)}</dd></div>`,
  )}</dl>`
}
${description !== undefined && html`<p class="description">${description}</p>`}
${page.menu !== undefined && orderItems(context, page.menu)}
</div>`;
}

function verifyTitle(context: PageContext): string {
  return say(context, isToSave(context) ? 'saveTitle' : 'checkTitle');
}

/** Whether a verification is there to have the card stored, and not to look at it alone. */
function isToSave({ page }: PageContext): boolean {
  return page.consent === 'Required';
}

/** The title of the browser's window. */
export function titleOf(context: PageContext): string {
  const { operation } = context.page.payment;
  if (operation === 'Verify') return verifyTitle(context);
  return `${say(context, 'payButton')} – ${context.page.merchantName}`;
}
