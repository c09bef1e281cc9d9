import { NOT_SHOWN } from '../../iso8583/traced.rules.ts';
import { maskCardNumber } from '../../kit/cards/card-number.ts';
import { maskCardNumbersIn } from '../../kit/cards/find-card-numbers.ts';
import { isTransactionId } from './message-form.rules.ts';
import type { PassedThreeDS, TracedThreeDS } from './three-ds.types.ts';

/** Types of messages by the names that they have; of another one it is said that it is another. */
const TYPES: readonly unknown[] = ['AReq', 'ARes', 'RReq', 'RRes', 'PReq', 'PRes', 'CRes', 'Erro'];
const OTHER_TYPE = 'other';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CODE = /^[A-Za-z0-9]{1,3}$/;
const VERSION = /^\d\.\d\.\d$/;
/** No proof looks so: its Base64 ends with `=`. */
const REFERENCE = /^[\w.-]{1,32}$/;
const DIGITS = /^\d{1,14}$/;
/** Without half characters: the database does not take them. */
const TEXT = /^[^\p{Cc}\p{Cs}]{1,40}$/u;
/** Without a query: it may say more. */
const ADDRESS = /^https?:\/\/[^\s?#@]{1,200}$/;

/**
 * The members that are shown, and what they look like: what is of another form may be something else, and so is hidden. What is new is
 * not here either.
 */
const SHOWN: Readonly<Record<string, RegExp>> = {
  messageVersion: VERSION,
  messageCategory: CODE,
  deviceChannel: CODE,
  threeDSServerTransID: ID,
  dsTransID: ID,
  acsTransID: ID,
  threeDSServerRefNumber: REFERENCE,
  threeDSServerOperatorID: REFERENCE,
  threeDSServerURL: ADDRESS,
  threeDSRequestorID: TEXT,
  threeDSRequestorName: TEXT,
  threeDSRequestorURL: ADDRESS,
  threeDSRequestorAuthenticationInd: CODE,
  threeDSRequestorChallengeInd: CODE,
  threeDSCompInd: CODE,
  acquirerBIN: DIGITS,
  acquirerMerchantID: TEXT,
  mcc: DIGITS,
  merchantCountryCode: CODE,
  merchantName: TEXT,
  notificationURL: ADDRESS,
  purchaseAmount: DIGITS,
  purchaseCurrency: CODE,
  purchaseExponent: CODE,
  purchaseDate: DIGITS,
  transType: CODE,
  recurringExpiry: DIGITS,
  recurringFrequency: DIGITS,
  acsReferenceNumber: REFERENCE,
  acsOperatorID: REFERENCE,
  dsReferenceNumber: REFERENCE,
  transStatus: CODE,
  transStatusReason: CODE,
  eci: CODE,
  acsChallengeMandated: CODE,
  acsDecConInd: CODE,
  authenticationType: CODE,
  authenticationMethod: CODE,
  interactionCounter: CODE,
  challengeCancel: CODE,
  challengeCompletionInd: CODE,
  resultsStatus: CODE,
  serialNum: /^[\w.-]{1,20}$/,
  dsStartProtocolVersion: VERSION,
  dsEndProtocolVersion: VERSION,
  errorCode: CODE,
  errorComponent: CODE,
  errorMessageType: /^[A-Za-z]{4}$/,
};

/** Those whose name alone is shown: that they were there. A name that is in no list may be anything, and is counted. */
const NAMED: readonly string[] = [
  ...['acctNumber', 'cardExpiryDate', 'cardholderName', 'email', 'mobilePhone', 'homePhone', 'workPhone'],
  ...['billAddrLine1', 'billAddrLine2', 'billAddrLine3', 'billAddrCity', 'billAddrPostCode', 'billAddrState'],
  ...['shipAddrLine1', 'shipAddrLine2', 'shipAddrLine3', 'shipAddrCity', 'shipAddrPostCode', 'shipAddrState'],
  ...['billAddrCountry', 'shipAddrCountry', 'addrMatch', 'acctID', 'acctInfo', 'acctType', 'merchantRiskIndicator'],
  ...['browserAcceptHeader', 'browserUserAgent', 'browserIP', 'browserLanguage', 'browserJavascriptEnabled'],
  ...['browserJavaEnabled', 'browserColorDepth', 'browserScreenHeight', 'browserScreenWidth', 'browserTZ'],
  ...['threeDSRequestorAuthenticationInfo', 'threeDSRequestorPriorAuthenticationInfo', 'threeDSRequestorDecReqInd'],
  ...['threeDSRequestorDecMaxTime', 'purchaseInstalData', 'payTokenInd', 'payTokenSource', 'threeRIInd'],
  ...['authenticationValue', 'acsURL', 'cardholderInfo', 'messageExtension', 'broadInfo', 'cardRangeData'],
  ...['acsRenderingType', 'acsSignedContent', 'whiteListStatus', 'whiteListStatusSource', 'challengeCancelInd'],
  ...['errorDescription', 'errorDetail', 'messageType'],
];

/** What stands for all members whose names are in no list. */
const OTHERS = '(others)';

/** Words of our own in `errorDetail` that name no member. */
const OWN_DETAILS = ['message', 'system'];

/** Made by a directory server, and said again by us. */
const SAID_BEFORE: readonly string[] = ['serialNum'];

/**
 * A message of 3-D Secure without what must not be seen of it: a member that is not known to be harmless is `***`, and one whose name
 * is not known is only counted. Undefined: what came was no message.
 */
export function tracedThreeDS({ message = {}, scheme, site, isOurs }: PassedThreeDS): TracedThreeDS {
  const type = message['messageType'];
  const entries = Object.entries(message).filter(([name]) => name !== 'messageType');
  const known = entries.filter(([name]) => isKnown(name));
  const others = entries.length - known.length;
  return {
    scheme: scheme ?? null,
    site,
    isOurs,
    type: TYPES.includes(type) ? String(type) : OTHER_TYPE,
    serverTransactionId: idIn(message['threeDSServerTransID']),
    dsTransactionId: idIn(message['dsTransID']),
    fields: [
      ...known.map(([name, value]) => [0, name, shownOf(name, value, isOurs)] as const),
      ...(others === 0 ? [] : [[0, OTHERS, String(others)] as const]),
    ],
  };
}

function isKnown(name: string): boolean {
  return Object.hasOwn(SHOWN, name) || NAMED.includes(name);
}

function idIn(value: unknown): string | null {
  return isTransactionId(value) ? String(value).toLowerCase() : null;
}

function shownOf(name: string, value: unknown, isOurs: boolean): string {
  if (name === 'cardRangeData') return Array.isArray(value) ? `${value.length} ranges` : NOT_SHOWN;
  if (typeof value !== 'string') return NOT_SHOWN;
  if (name === 'acctNumber') return /^\d{12,19}$/.test(value) ? maskCardNumber(value) : NOT_SHOWN;
  if (name === 'errorDetail') return namesMembers(value) ? value : NOT_SHOWN;
  if (!Object.hasOwn(SHOWN, name) || SHOWN[name]?.test(value) !== true) return NOT_SHOWN;
  // A directory server may write a card's number where it likes.
  return isOurs && !SAID_BEFORE.includes(name) ? value : maskCardNumbersIn(value);
}

/** Whether a text is a list of members: some write a value there. */
function namesMembers(text: string): boolean {
  return text.length <= 200 && text.split(/[,;\s]+/).every((word) => isKnown(word) || OWN_DETAILS.includes(word));
}
