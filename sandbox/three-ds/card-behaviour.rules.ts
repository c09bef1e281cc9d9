/** Test cards by what their issuer does: `476173cc0000000x` and `522661cc0000000x`. Any other card has `00`. */
export const TEST_CARD = /^(?:476173|522661)(\d\d)0000000\d$/;

/** Cards of a scheme that take part: one by one where digits 7 and 8 say what happens. */
export interface TestRange {
  readonly startRange: string;
  readonly endRange: string;
  /** Below the issuer's own address. */
  readonly methodPath: string | undefined;
}

/** What the issuer of a card does. */
export function codeOf(number: string): string {
  return TEST_CARD.exec(number)?.[1] ?? '00';
}

/** Codes without a method URL, and the one whose page never comes back. */
const WITHOUT_METHOD = ['02', '07'];
const SILENT_METHOD = '10';
const NOT_ENROLLED = '18';

/** The cards of a test scheme, by the first six digits of its numbers. */
export function rangesOf(prefix: string): readonly TestRange[] {
  const codes = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0'));
  return codes
    .filter((code) => code !== NOT_ENROLLED)
    .map((code) => ({
      startRange: `${prefix}${code}00000000`,
      endRange: `${prefix}${code}99999999`,
      methodPath: WITHOUT_METHOD.includes(code)
        ? undefined
        : code === SILENT_METHOD
          ? '/acs/method/silent'
          : '/acs/method',
    }));
}

/** How an issuer answers a question at once. */
export type Reaction =
  | { readonly does: 'Answer'; readonly members: Readonly<Record<string, unknown>> }
  | { readonly does: 'Challenge' }
  | { readonly does: 'Nothing' }
  | { readonly does: 'Close' }
  | { readonly does: 'Fail' }
  | { readonly does: 'Error'; readonly code: string; readonly detail: string };

/** What is known of a question. */
export interface AskedCard {
  readonly number: string;
  readonly methodCompleted: unknown;
  readonly isChallengeWanted: boolean;
  /** Of the scheme: for a payer who was authenticated, and where an attempt was made. */
  readonly eci: { readonly full: string; readonly attempted: string };
  readonly authenticationValue: string;
}

/** What the issuer of a card answers. */
export function reactionTo({
  number,
  methodCompleted,
  isChallengeWanted,
  eci,
  authenticationValue,
}: AskedCard): Reaction {
  const yes: Reaction = { does: 'Answer', members: { transStatus: 'Y', eci: eci.full, authenticationValue } };
  const status = (transStatus: string, members = {}): Reaction => ({
    does: 'Answer',
    members: { transStatus, ...members },
  });
  switch (codeOf(number)) {
    case '01':
    case '02':
      return yes;
    case '03':
      return status('A', { eci: eci.attempted, authenticationValue });
    case '04':
      return status('N', {
        transStatusReason: '01',
        cardholderInfo: 'Call the test bank on 815 00 000 about this card.',
      });
    case '05':
      return status('R', { transStatusReason: '11' });
    case '06':
      return isChallengeWanted ? { does: 'Challenge' } : status('U', { transStatusReason: '06' });
    case '08':
      return { does: 'Nothing' };
    case '09':
      return { does: 'Error', code: '203', detail: 'acctNumber' };
    case '10':
      return methodCompleted === 'N' ? yes : status('N', { transStatusReason: '01' });
    case '13':
      return status('Y', { ...yes.members, threeDSServerTransID: '00000000-0000-4000-8000-000000000000' });
    case '14':
      return status('I');
    case '15':
      return status('D', { acsDecConInd: 'Y' });
    case '16':
      return { does: 'Close' };
    case '19':
      return status('Y', { eci: eci.full });
    case '20':
      return { does: 'Fail' };
    default:
      return { does: 'Challenge' };
  }
}
