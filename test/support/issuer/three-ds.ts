import { randomUUID } from 'node:crypto';
import { testAuthenticationValue } from '../../../sandbox/acquirer/test-values.ts';

/** The test card whose issuer does what these two digits say. */
export function testCard(code: string, prefix: '476173' | '522661' = '476173'): string {
  const digits = `${prefix}${code}0000000`;
  const sum = Array.from(digits)
    .map((digit, place) => Number(digit) * (place % 2 === 0 ? 2 : 1))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** What a payer chooses at the test bank. */
export type Verdict = 'Approved' | 'Declined' | 'Cancelled';

const VERDICTS = { Approved: 'Y', Declined: 'N', Cancelled: 'C' } as const;

/** A form as it stands on a page: where it goes, and its hidden fields. */
export interface FoundForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The form of a page by its id, as a browser without a script finds it. */
export function formIn(html: string, id: string): FoundForm {
  const found = new RegExp(`<form id="${id}" method="post" action="([^"]+)"[^>]*>(.*?)</form>`, 's').exec(html);
  if (found === null) throw new Error(`the page has no form ${id}: ${html.slice(0, 2000)}`);
  const [, action = '', inside = ''] = found;
  const fields = [...inside.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return {
    action: plain(action),
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, plain(value)])),
  };
}

/**
 * Goes to the test bank with the form that leads there, and answers its challenge.
 *
 * @returns the form that leads back
 */
export async function answerBank(lead: FoundForm, verdict: Verdict): Promise<FoundForm> {
  const challenge = formIn(await atBank(lead), 'challenge');
  const action = new URL(challenge.action, lead.action).href;
  const answered = await atBank({ action, fields: { ...challenge.fields, verdict: VERDICTS[verdict] } });
  return formIn(answered, 'forward');
}

/** Posts a form to the test bank, and gives its page. */
export async function atBank({ action, fields }: FoundForm): Promise<string> {
  const answer = await fetch(action, { method: 'POST', body: new URLSearchParams(fields) });
  return answer.text();
}

function plain(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

/** What a directory server elsewhere has said of a payer with a Visa card, with a proof that the test acquirer believes. */
export function externalAuthentication() {
  const dsTransactionId = randomUUID();
  const authenticationValue = testAuthenticationValue(dsTransactionId);
  return { version: '2.2.0', transStatus: 'Y', eci: '05', authenticationValue, dsTransactionId };
}
