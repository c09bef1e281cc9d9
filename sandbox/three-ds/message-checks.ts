type Members = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

/** What is wrong with a message, as the standard names it. */
export interface Complaint {
  readonly code: '101' | '102' | '201' | '203';
  readonly detail: string;
}

const text =
  (most: number): Check =>
  (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= most;
const like =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && value.length <= 2048 && pattern.test(value);
const uuid = like(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const address = like(/^https?:\/\/\S+$/);
const flag: Check = (value) => typeof value === 'boolean';
const isPhone: Check = (value) => {
  const { cc, subscriber } = (value ?? {}) as Members;
  return like(/^\d{1,3}$/)(cc) && like(/^\d{1,15}$/)(subscriber);
};

/** Members of each message that come to directory and issuer; a question mark marks those that may be missing. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  PReq: {
    threeDSServerRefNumber: text(32),
    threeDSServerOperatorID: text(32),
    threeDSServerTransID: uuid,
    'serialNum?': text(20),
  },
  AReq: {
    messageCategory: like(/^0[12]$/),
    deviceChannel: like(/^02$/),
    threeDSServerTransID: uuid,
    threeDSServerRefNumber: text(32),
    threeDSServerOperatorID: text(32),
    threeDSServerURL: address,
    threeDSRequestorID: text(35),
    threeDSRequestorName: text(40),
    threeDSRequestorURL: address,
    threeDSRequestorAuthenticationInd: like(/^0[1-6]$/),
    'threeDSRequestorChallengeInd?': like(/^0[1-9]$/),
    threeDSCompInd: like(/^[YNU]$/),
    acctNumber: like(/^\d{13,19}$/),
    cardExpiryDate: like(/^\d\d(0[1-9]|1[0-2])$/),
    acquirerBIN: like(/^\d{1,11}$/),
    acquirerMerchantID: text(35),
    mcc: like(/^\d{4}$/),
    merchantCountryCode: like(/^\d{3}$/),
    merchantName: text(40),
    notificationURL: address,
    browserAcceptHeader: text(2048),
    browserUserAgent: text(2048),
    'browserIP?': text(45),
    browserLanguage: text(8),
    browserJavascriptEnabled: flag,
    'browserJavaEnabled?': flag,
    'browserColorDepth?': like(/^(1|4|8|15|16|24|32|48)$/),
    'browserScreenHeight?': like(/^\d{1,6}$/),
    'browserScreenWidth?': like(/^\d{1,6}$/),
    'browserTZ?': like(/^[+-]?\d{1,4}$/),
    'cardholderName?': (value) => text(45)(value) && String(value).length >= 2,
    'email?': text(254),
    'mobilePhone?': isPhone,
    'billAddrLine1?': text(50),
    'billAddrLine2?': text(50),
    'billAddrCity?': text(50),
    'billAddrPostCode?': text(16),
    'billAddrCountry?': like(/^\d{3}$/),
    'recurringExpiry?': like(/^\d{8}$/),
    'recurringFrequency?': like(/^\d{1,4}$/),
    'purchaseAmount?': like(/^\d{1,48}$/),
    'purchaseCurrency?': like(/^\d{3}$/),
    'purchaseExponent?': like(/^\d$/),
    'purchaseDate?': like(/^\d{14}$/),
    'transType?': like(/^01$/),
  },
  CReq: { threeDSServerTransID: uuid, acsTransID: uuid, challengeWindowSize: like(/^0[1-5]$/) },
};

/** What a payment must say, what a series of them, and what a browser with a script. */
const OF_PAYMENT = ['purchaseAmount', 'purchaseCurrency', 'purchaseExponent', 'purchaseDate', 'transType'];
const OF_SERIES = ['recurringExpiry', 'recurringFrequency'];
const OF_SCRIPT = ['browserJavaEnabled', 'browserColorDepth', 'browserScreenHeight', 'browserScreenWidth', 'browserTZ'];

/** The JSON object that a text is; undefined where it is none. */
export function objectIn(body: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}

/** Looks at a message as a directory server does; undefined where nothing is wrong. */
export function complaintAbout(message: Members | undefined, types: readonly string[]): Complaint | undefined {
  const type = message?.['messageType'];
  if (message === undefined || typeof type !== 'string' || !types.includes(type))
    return { code: '101', detail: 'messageType' };
  if (message['messageVersion'] !== '2.2.0') return { code: '102', detail: 'messageVersion' };
  const checks = Object.entries(MESSAGES[type] ?? {});
  const needed = [...checks.flatMap(([name]) => (name.endsWith('?') ? [] : [name])), ...conditional(message)];
  const missing = needed.filter((name) => message[name] === undefined);
  if (missing.length > 0) return { code: '201', detail: missing.join(',') };
  const wrong = checks
    .map(([name, check]) => [name.replace('?', ''), check] as const)
    .filter(([name, check]) => message[name] !== undefined && !check(message[name]))
    .map(([name]) => name);
  return wrong.length > 0 ? { code: '203', detail: wrong.join(',') } : undefined;
}

function conditional(message: Members): readonly string[] {
  if (message['messageType'] !== 'AReq') return [];
  return [
    ...(message['messageCategory'] === '01' ? OF_PAYMENT : []),
    ...(message['threeDSRequestorAuthenticationInd'] === '02' ? OF_SERIES : []),
    ...(message['browserJavascriptEnabled'] === true ? OF_SCRIPT : []),
  ];
}
