import { currencyNumber } from '../../iso8583/currency.rules.ts';
import { assert } from '../../kit/assert.ts';
import { firstCharacters, spelled } from '../../kit/characters.ts';
import { addDays } from '../../kit/instants.ts';
import { type AmountMinor, type Currency, decimalsOf } from '../../kit/money.ts';
import type { Secret } from '../../kit/secret.ts';
import type { AgreedMerchant, ThreeDSMerchant, ThreeDSServer } from '../acquirers/acquirers.types.ts';
import { countryNumber, numberOfRegion } from './countries.rules.ts';
import { MESSAGE_VERSION } from './message-form.rules.ts';
import type { BrowserData } from './three-ds.types.ts';

// What we send (EMV 3-D Secure 2.2.0, table B.1 and following). What has no value is not sent.

type Message = Readonly<Record<string, unknown>>;
type Operator = Pick<ThreeDSServer, 'serverReferenceNumber' | 'operatorId' | 'resultsUrl'>;

/** The PReq: which cards take part, and what has changed since `serialNumber`. */
export function preparationRequest(
  { serverReferenceNumber, operatorId }: Operator,
  { serverTransactionId, serialNumber }: { serverTransactionId: string; serialNumber: string | undefined },
): Message {
  return withoutEmpty({
    messageType: 'PReq',
    messageVersion: MESSAGE_VERSION,
    threeDSServerRefNumber: serverReferenceNumber,
    threeDSServerOperatorID: operatorId,
    threeDSServerTransID: serverTransactionId,
    serialNum: serialNumber,
  });
}

/** The CReq, which a browser carries to the challenge. `windowSize`: table A.1, `challengeWindowSize`. */
export function challengeRequest(
  ids: { readonly serverTransactionId: string; readonly acsTransactionId: string },
  windowSize: '03' | '05',
): Message {
  return {
    threeDSServerTransID: ids.serverTransactionId,
    acsTransID: ids.acsTransactionId,
    challengeWindowSize: windowSize,
    messageType: 'CReq',
    messageVersion: MESSAGE_VERSION,
  };
}

/** What is to be paid, and when. */
export interface AskedPurchase {
  readonly amount: AmountMinor;
  readonly currency: Currency;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** A series of payments that this one begins. */
export interface AskedSeries {
  /** `YYYY-MM-DD`. */
  readonly until: string;
  readonly everyDays: number;
}

/** What an AReq is made of. */
export interface AskedAuthentication {
  readonly operator: Operator;
  readonly merchant: ThreeDSMerchant;
  readonly agreement: { readonly mcc: string; readonly merchant: AgreedMerchant };
  readonly serverTransactionId: string;
  readonly card: { readonly number: Secret; readonly expiryDate: string; readonly holderName: string | undefined };
  /** Undefined of a verification, which costs nothing. */
  readonly purchase: AskedPurchase | undefined;
  readonly series: AskedSeries | undefined;
  /** Whether the browser was at the issuer's method URL: `Y` it was, `N` it did not come back, `U` there is none. */
  readonly methodCompleted: 'Y' | 'N' | 'U';
  readonly isChallengeWanted: boolean;
  readonly notificationUrl: string;
  /** Where the payee is found, unless its agreement says so. */
  readonly requestorUrl: string;
  readonly browser: BrowserData;
  readonly contact: { readonly email?: string; readonly msisdn?: string };
  readonly billing: BillingAddress;
}

/** Where the payer lives, as far as the payee knows it. */
export interface BillingAddress {
  readonly street?: string;
  /** Whose door it is. */
  readonly careOf?: string;
  readonly postalCode?: string;
  readonly city?: string;
  /** Two letters of ISO 3166-1. */
  readonly country?: string;
}

/** The AReq: whether this payer is who may use the card. */
export function authenticationRequest(asked: AskedAuthentication): Message {
  const { operator, merchant, agreement, card, purchase, series, isChallengeWanted } = asked;
  return withoutEmpty({
    messageType: 'AReq',
    messageVersion: MESSAGE_VERSION,
    messageCategory: purchase === undefined ? '02' : '01',
    deviceChannel: '02',
    threeDSServerTransID: asked.serverTransactionId,
    threeDSServerRefNumber: operator.serverReferenceNumber,
    threeDSServerOperatorID: operator.operatorId,
    threeDSServerURL: operator.resultsUrl,
    threeDSRequestorID: merchant.requestorId,
    threeDSRequestorName: merchant.requestorName,
    threeDSRequestorURL: agreement.merchant.url ?? asked.requestorUrl,
    threeDSRequestorAuthenticationInd: purchase === undefined ? '04' : series === undefined ? '01' : '02',
    threeDSRequestorChallengeInd: isChallengeWanted ? '04' : '01',
    threeDSCompInd: asked.methodCompleted,
    acctNumber: card.number.reveal(),
    cardExpiryDate: yearAndMonth(card.expiryDate),
    acquirerBIN: merchant.acquirerBin,
    acquirerMerchantID: merchant.merchantId,
    mcc: agreement.mcc,
    merchantCountryCode: countryNumber(agreement.merchant.country),
    merchantName: firstCharacters(agreement.merchant.name, 40),
    notificationURL: asked.notificationUrl,
    cardholderName: nameOf(card.holderName),
    ...contactOf(asked),
    ...browserMembers(asked.browser),
    ...(purchase === undefined ? {} : purchaseMembers(purchase)),
    ...(series === undefined
      ? {}
      : { recurringExpiry: series.until.replaceAll('-', ''), recurringFrequency: String(series.everyDays) }),
  });
}

function purchaseMembers({ amount, currency, at }: AskedPurchase): Message {
  return {
    purchaseAmount: String(amount),
    purchaseCurrency: currencyNumber(currency),
    purchaseExponent: String(decimalsOf(currency)),
    purchaseDate: at.slice(0, 19).replace(/[-T:]/g, ''),
    transType: '01',
  };
}

/** `MM/YY` as `YYMM`. */
function yearAndMonth(expiryDate: string): string {
  const [month = '', year = ''] = expiryDate.split('/');
  return `${year}${month}`;
}

/** A name of 2 to 45 characters of ASCII (EMV Book 4, annex B); one of which fewer can be written is none. */
function nameOf(holderName: string | undefined): string | undefined {
  const name = spelled((holderName ?? '').trim(), 'ascii', 45).trim();
  return name.length < 2 ? undefined : name;
}

function contactOf({ contact, billing }: AskedAuthentication): Message {
  return {
    email: cut(contact.email, 254),
    mobilePhone: phoneOf(contact.msisdn ?? ''),
    billAddrLine1: cut(billing.street, 50),
    billAddrLine2: cut(billing.careOf, 50),
    billAddrCountry: numberOfRegion(billing.country ?? ''),
    billAddrCity: cut(billing.city, 50),
    billAddrPostCode: cut(billing.postalCode, 16),
  };
}

function cut(text: string | undefined, most: number): string | undefined {
  return text === undefined ? undefined : firstCharacters(text, most);
}

/** Country codes of one digit and of two (ITU-T E.164); all others have three. */
const COUNTRY_CODES = /^(1|7|20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d{4,12})$/;

/** A number that does not say its country is left out. */
function phoneOf(msisdn: string): Message | undefined {
  if (!msisdn.startsWith('+') || msisdn.length > 16) return undefined;
  const parts = COUNTRY_CODES.exec(msisdn.slice(1));
  return parts === null ? undefined : { cc: parts[1], subscriber: parts[2] };
}

/** Depths of colour that the standard has; another one counts as the next lower one. */
const COLOUR_DEPTHS = [48, 32, 24, 16, 15, 8, 4, 1];

function browserMembers({ acceptHeader, userAgent, address, language, scripted }: BrowserData): Message {
  return {
    browserAcceptHeader: acceptHeader.slice(0, 2048),
    browserUserAgent: userAgent.slice(0, 2048),
    browserIP: address,
    browserLanguage: language,
    browserJavascriptEnabled: scripted !== undefined,
    ...(scripted === undefined
      ? {}
      : {
          browserJavaEnabled: scripted.isJavaEnabled,
          browserColorDepth: String(COLOUR_DEPTHS.find((depth) => depth <= scripted.colorDepth) ?? 1),
          browserScreenHeight: String(scripted.screenHeight),
          browserScreenWidth: String(scripted.screenWidth),
          browserTZ: String(scripted.timeZone),
        }),
  };
}

/** What a browser carries to the method URL of an issuer. */
export function methodData(serverTransactionId: string, notificationUrl: string): Message {
  return { threeDSServerTransID: serverTransactionId, threeDSMethodNotificationURL: notificationUrl };
}

function withoutEmpty(message: Message): Message {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined && value !== ''));
}

/** The expiry of a series that says none: the last day of the month in which the card expires. `MM/YY`. */
export function lastDayOf(expiryDate: string): string {
  const [month, year] = expiryDate.split('/').map(Number);
  assert(month !== undefined && year !== undefined, 'a card has its expiry');
  const next = month === 12 ? [2001 + year, 1] : [2000 + year, month + 1];
  return addDays(`${next[0]}-${String(next[1]).padStart(2, '0')}-01`, -1);
}
