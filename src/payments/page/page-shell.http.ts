import { html, type Markup } from '../../http/pages/markup.ts';
import type { OpenAnswer } from '../../http/route.types.ts';
import { assert } from '../../kit/assert.ts';
import { paymentPath } from '../../kit/cards/card-payment-paths.ts';
import { randomSecret } from '../../kit/secret.ts';
import { commonHeaders, POLICY_REPORTS } from '../page-integrity/page-headers.rules.ts';
import type { MenuInstrument, PageAsset, PageAssets, PageState } from './page.types.ts';
import { declineOf } from './page-alert.http.ts';
import { addressOf, type PageContext } from './page-context.http.ts';
import { PAGE_LOCALES, textsIn } from './page-language.http.ts';

/** A page to be sent. */
export interface Drawn {
  readonly title: string;
  readonly body: Markup;
  /** What the page says of itself, for its script and for tests. */
  readonly state: PageState | 'leading' | 'returned' | 'removal' | 'leaving' | 'unknown' | 'trouble';
  /** Seconds after which it is loaded again, where no script does that. */
  readonly refreshSeconds?: number;
  /** An address of the payee's to which the browser goes on from here by itself. */
  readonly goesOnTo?: string;
  /** Whether its form leads to the payer's bank. A page of ours may have it in a frame. */
  readonly leadsToBank?: boolean;
  readonly status?: number;
}

/** A page as an answer: with its frame of merchant, sandbox ribbon and languages. */
export function pageAnswer(context: PageContext, drawn: Drawn): OpenAnswer {
  const { locale, isFramed, assets, isSandbox, texts } = context;
  const nonce = randomSecret();
  const { terms } = context.page.payment;
  // In a frame its main part is named, because the page around it has one of its own.
  const document = html`<!doctype html>
<html lang="${locale}" data-state="${drawn.state}"${isFramed && html` data-frame="true" data-owner="${ownerData(context)}"`}${asksBanks(context, drawn) && html` data-accept="${context.accept}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${drawn.title}</title>
${headLinks(assets, nonce)}
${drawn.goesOnTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${drawn.goesOnTo}">`}
${drawn.refreshSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${drawn.refreshSeconds}"></noscript>`}
</head>
<body>
${isSandbox && html`<aside id="sandbox" class="ribbon" aria-label="Sandbox">${texts.sandbox}</aside>`}
<div class="page">
${!isFramed && merchantHeader(context)}
<main${isFramed && html` aria-label="${drawn.title}"`}>
${drawn.body}
</main>
<footer>
${TAKES_CARDS.includes(drawn.state) && html`<p class="secure">${LOCK}<span>${texts.secure}</span></p>`}
${languages(context)}
</footer>
</div>
</body>
</html>
`;
  return {
    status: drawn.status ?? 200,
    headers: {
      ...commonHeaders(isFramed || drawn.leadsToBank === true),
      'content-security-policy': policy({
        nonce,
        imagesFrom: terms.urls.logoUrl,
        framedBy: isFramed ? (terms.urls.hostUrls ?? []) : [],
        banks: context.banks,
        leadsToBank: drawn.leadsToBank === true,
        showsBanks: TAKES_CARDS.includes(drawn.state),
      }),
    },
    body: document.text,
  };
}

/** Whether the script may have to tell a bank what the browser asks for pages with. */
function asksBanks({ banks }: PageContext, { state }: Drawn): boolean {
  return banks.length > 0 && TAKES_CARDS.includes(state);
}

/** Where card details are sent from. */
const TAKES_CARDS: readonly Drawn['state'][] = ['ready', 'declined', 'authentication'];

/** What the script needs to tell the page around it. */
function ownerData(context: PageContext): string {
  const { hostUrls = [] } = context.page.payment.terms.urls;
  const hosts = [...new Set(hostUrls.map(originOf))];
  return JSON.stringify({
    id: context.page.menu?.id ?? paymentPath(context.page.payment),
    hosts,
    news: newsFor(context),
  });
}

/** What the page around this one is told of a state once it is shown: a message's type, and what goes with it. */
function newsFor(context: PageContext): readonly [type: string, members: object] | undefined {
  const { state, payment, isEndedByPayer } = context.page;
  const { completeUrl, cancelUrl, paymentUrl } = payment.terms.urls;
  switch (state) {
    case 'declined':
      return ['transaction-failed', { details: declineOf(context)?.message, isCalm: isEndedByPayer }];
    case 'pending':
      return ['pending', { redirectUrl: paymentUrl }];
    case 'paid':
      return ['completed', { redirectUrl: completeUrl, paidBy: payingInstrument(context) }];
    case 'failed':
    case 'aborted':
    case 'expired':
      if (state === 'aborted' && isEndedByPayer) return ['canceled', { redirectUrl: cancelUrl ?? completeUrl }];
      return ['failed', { state, redirectUrl: completeUrl }];
    default:
      return undefined;
  }
}

/** What has paid, as `paid.instrument` of an order names it: a card where it paid a part. */
function payingInstrument({ page: { menu } }: PageContext): MenuInstrument {
  return menu !== undefined && menu.giftCards.length > 0 && menu.byCard === 0 ? 'GiftCard' : 'CreditCard';
}

/** A page about no payment, in one language. */
export function bareAnswer(
  assets: PageAssets,
  {
    lang,
    state,
    title,
    body,
    status,
  }: Omit<Required<Drawn>, 'refreshSeconds' | 'goesOnTo' | 'leadsToBank'> & { readonly lang: string },
): OpenAnswer {
  const nonce = randomSecret();
  const document = html`<!doctype html>
<html lang="${lang}" data-state="${state}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${headLinks(assets, nonce)}
</head>
<body>
<div class="page">
<main>
${body}
</main>
</div>
</body>
</html>
`;
  return {
    status,
    headers: {
      ...commonHeaders(state === 'returned'),
      'content-security-policy': policy({ nonce, framedBy: state === 'returned' ? ['*'] : [] }),
    },
    body: document.text,
  };
}

function headLinks(assets: PageAssets, nonce: string): Markup {
  const style = asset(assets, 'page.css');
  const script = asset(assets, 'page.js');
  return html`<link rel="icon" href="${asset(assets, 'icon.svg').path}">
<link rel="stylesheet" href="${style.path}" integrity="${style.integrity}">
<script src="${script.path}" integrity="${script.integrity}" nonce="${nonce}" defer></script>`;
}

function asset(assets: PageAssets, name: string): PageAsset {
  const found = assets.get(name);
  assert(found !== undefined, `the build makes ${name}`);
  return found;
}

interface Policy {
  readonly nonce: string;
  /** An address of the payee's. */
  readonly imagesFrom?: string | undefined;
  readonly framedBy: readonly string[];
  /** Where banks are; none where there is no 3-D Secure. */
  readonly banks?: readonly string[];
  readonly leadsToBank?: boolean;
  readonly showsBanks?: boolean;
}

/** What the page may load, who may frame it, and that its forms go to this service alone: see `showWayBack`. */
function policy({ nonce, imagesFrom, framedBy, banks = [], leadsToBank = false, showsBanks = false }: Policy): string {
  const own = leadsToBank ? ["'self'"] : [];
  const origins = [...new Set([...own, ...framedBy.map(originOf)])];
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    `img-src ${["'self'", ...(imagesFrom === undefined ? [] : [originOf(imagesFrom)])].join(' ')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${leadsToBank ? banks.join(' ') || "'none'" : "'self'"}`,
    ...(showsBanks && banks.length > 0 ? [`frame-src 'self' ${banks.join(' ')}`] : []),
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `report-uri ${POLICY_REPORTS}`,
    'report-to page',
  ].join('; ');
}

function originOf(address: string): string {
  return address === '*' ? address : new URL(address).origin;
}

function merchantHeader(context: PageContext): Markup {
  const merchant = context.page.merchantName;
  const { logoUrl } = context.page.payment.terms.urls;
  return html`<header>
${
  logoUrl === undefined
    ? html`<span class="monogram" aria-hidden="true">${merchant.charAt(0).toUpperCase()}</span>`
    : html`<img class="logo" src="${logoUrl}" alt="" height="40">`
}
<span class="merchant">${merchant}</span>
</header>`;
}

function languages(context: PageContext): Markup {
  const links = PAGE_LOCALES.map((locale) => {
    const { languageName } = textsIn(locale);
    if (locale === context.locale)
      return html`<li><span lang="${locale}" aria-current="true">${languageName}</span></li>`;
    const address = addressOf({ ...context, query: `?language=${locale}` });
    return html`<li><a href="${address}" lang="${locale}" hreflang="${locale}">${languageName}</a></li>`;
  });
  return html`<nav id="language" aria-label="${context.texts.language}"><ul>${links}</ul></nav>`;
}

const LOCK = html`<svg class="lock" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 7V5a4 4 0 1 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 1 0-4 0z"/></svg>`;
