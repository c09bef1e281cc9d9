/** What a payer reads on the pages of the test bank. */
interface Words {
  readonly title: string;
  readonly explanation: string;
  readonly total: string;
  readonly merchant: string;
  readonly card: string;
  readonly approve: string;
  readonly decline: string;
  readonly cancel: string;
  readonly goOn: string;
  readonly wait: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  nb: {
    title: 'Er dette deg?',
    explanation: 'Dette står i stedet for siden til banken din. Velg hva som skal skje.',
    total: 'Å betale',
    merchant: 'Til',
    card: 'Kort',
    approve: 'Godkjenn',
    decline: 'Avvis',
    cancel: 'Avbryt',
    goOn: 'Gå videre',
    wait: 'Vent litt …',
  },
  sv: {
    title: 'Är det du?',
    explanation: 'Det här står i stället för din banks sida. Välj vad som ska hända.',
    total: 'Att betala',
    merchant: 'Till',
    card: 'Kort',
    approve: 'Godkänn',
    decline: 'Neka',
    cancel: 'Avbryt',
    goOn: 'Fortsätt',
    wait: 'Vänta lite …',
  },
  da: {
    title: 'Er det dig?',
    explanation: 'Dette står i stedet for din banks side. Vælg, hvad der skal ske.',
    total: 'Til betaling',
    merchant: 'Til',
    card: 'Kort',
    approve: 'Godkend',
    decline: 'Afvis',
    cancel: 'Annuller',
    goOn: 'Fortsæt',
    wait: 'Vent lidt …',
  },
  fi: {
    title: 'Oletko tämä sinä?',
    explanation: 'Tämä on pankkisi sivun tilalla. Valitse, mitä tapahtuu.',
    total: 'Maksettavaa',
    merchant: 'Saaja',
    card: 'Kortti',
    approve: 'Hyväksy',
    decline: 'Hylkää',
    cancel: 'Peruuta',
    goOn: 'Jatka',
    wait: 'Odota hetki …',
  },
  en: {
    title: 'Is this you?',
    explanation: 'This stands for the page of your bank. Choose what happens.',
    total: 'Total',
    merchant: 'To',
    card: 'Card',
    approve: 'Approve',
    decline: 'Decline',
    cancel: 'Cancel',
    goOn: 'Continue',
    wait: 'One moment …',
  },
};

const STYLE = `
:root { color-scheme: light dark; --ink: #16202a; --soft: #5b6670; --line: #c6ccd2; --paper: #fff; --accent: #0b5fb0; --on-accent: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f4; --soft: #a9b3bc; --line: #4a545e; --paper: #14191f; --accent: #7db8f0; --on-accent: #0d1319 } }
* { box-sizing: border-box }
body { margin: 0; padding: 1.25rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 26rem; margin: 0 auto }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 1rem }
.bank { margin: 0 0 .5rem; font-size: .875rem; color: var(--soft) }
dl { margin: 0 0 1rem } dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .375rem 0; border-bottom: 1px solid var(--line) }
dt { color: var(--soft) } dd { margin: 0; text-align: right; overflow-wrap: anywhere }
form { display: grid; gap: .625rem }
button { font: inherit; font-weight: 600; min-height: 3rem; border-radius: .5rem; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer }
button.primary { background: var(--accent); color: var(--on-accent); border-color: transparent }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }`;

/** What the test bank knows of a challenge. */
export interface ShownChallenge {
  readonly language: string;
  readonly merchantName: string;
  /** As in `199.00 NOK`; undefined of a verification. */
  readonly amount: string | undefined;
  readonly lastFour: string;
  readonly acsTransactionId: string;
}

/** Asks what the bank's answer is to be. */
export function challengePage({ language, merchantName, amount, lastFour, acsTransactionId }: ShownChallenge): string {
  const words = wordsIn(language);
  const row = (label: string, value: string) => `<div><dt>${label}</dt><dd>${escaped(value)}</dd></div>`;
  const button = (...[id, verdict, style, text]: [string, string, string, string]) =>
    `<button id="${id}" class="${style}" name="verdict" value="${verdict}">${text}</button>`;
  return page(
    language,
    words.title,
    `<p class="bank">3-D Secure · Kontor test bank</p>
<h1>${words.title}</h1>
<dl>${amount === undefined ? '' : row(words.total, amount)}${row(words.merchant, merchantName)}${row(words.card, `•••• ${lastFour}`)}</dl>
<p>${words.explanation}</p>
<form id="challenge" method="post" action="/acs/answer">
<input type="hidden" name="acsTransID" value="${acsTransactionId}">
${button('approve', 'Y', 'primary', words.approve)}
${button('decline', 'N', '', words.decline)}
${button('cancel-challenge', 'C', '', words.cancel)}
</form>`,
  );
}

/** Sends a form on by itself, and has a button where no script does. */
export function forwardPage(
  language: string,
  { action, fields, afterMs = 0 }: { action: string; fields: Readonly<Record<string, string>>; afterMs?: number },
): string {
  const words = wordsIn(language);
  const hidden = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
    .join('');
  return page(
    language,
    words.wait,
    `<h1>${words.wait}</h1>
<form id="forward" method="post" action="${escaped(action)}">${hidden}<button id="go-on" class="primary">${words.goOn}</button></form>
<script>setTimeout(() => document.getElementById('forward').submit(), ${afterMs})</script>`,
  );
}

/** Says that nothing can be done here. */
export function strangePage(): string {
  return page('en', 'Unknown', '<h1>The test bank does not know this.</h1>');
}

function page(language: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language.slice(0, 2).replace(/[^a-z]/g, '') || 'en'}" data-state="challenge">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head>
<body><main>${body}</main></body>
</html>`;
}

function wordsIn(language: string): Words {
  const words = WORDS[language.slice(0, 2)] ?? WORDS['en'];
  if (words === undefined) throw new Error('The test bank speaks English.');
  return words;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
