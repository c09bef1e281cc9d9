import { createHash } from 'node:crypto';
import { parseAddress } from '../../kit/addresses/address.ts';
import { pathOnTheWire, type SignedParts, signedPaths } from './hmac.ts';
import type { Cause } from './hmac-causes.ts';
import { parseTransmissionTime } from './transmission-time.ts';

/** A request as a client may have signed it: the parts, what ends their lines, and the key. */
export interface Attempt extends SignedParts {
  readonly lineEnd: string;
  readonly lastLineEnd: string;
  /** An empty transmission time may have been left out with its line. */
  readonly hasTimeLine: boolean;
  readonly key: string | Buffer;
}

/** What is known of the request beside its parts. */
export interface Surroundings {
  /** The request target: path and query. */
  readonly url: string;
  /** Our public address, without a trailing slash. */
  readonly baseUrl: string;
  /** The texts of the headers `Host` and `Date`. */
  readonly host: string | undefined;
  readonly date: string | undefined;
}

/** One usual mistake. */
export interface Fault {
  readonly code: Cause;
  /** Mistakes in different parts may come together. */
  readonly part: 'lines' | 'method' | 'path' | 'time' | 'body' | 'secret';
  /** The attempt as this mistake makes it: several ways, or none where it cannot have been made. */
  readonly spoil: (attempt: Attempt, around: Surroundings) => readonly Partial<Attempt>[];
}

/** The usual mistakes, the likeliest first. */
export const FAULTS: readonly Fault[] = [
  { code: 'no-last-line-feed', part: 'lines', spoil: () => [{ lastLineEnd: '' }] },
  { code: 'path-with-query', part: 'path', spoil: (_, { url }) => (url.includes('?') ? [{ path: url }] : []) },
  {
    code: 'path-with-host',
    part: 'path',
    spoil: ({ path }, { url, baseUrl, host }) =>
      [baseUrl, `http://${host}`, `https://${host}`, `${host}`].flatMap((front) =>
        [path, url].map((rest) => ({ path: `${front}${rest}` })),
      ),
  },
  {
    code: 'path-with-prefix',
    part: 'path',
    spoil: ({ path }, { baseUrl }) =>
      [prefixOf(baseUrl), '/payment-api', '/api'].filter(Boolean).map((prefix) => ({ path: `${prefix}${path}` })),
  },
  {
    code: 'path-without-prefix',
    part: 'path',
    spoil: ({ path }) =>
      ['/api/payments', '/api', '/'].flatMap((prefix) =>
        path.startsWith(prefix) ? [{ path: path.slice(prefix.length) }] : [],
      ),
  },
  {
    code: 'path-spelt-otherwise',
    part: 'path',
    spoil: ({ path }, { url }) => spellings(path, url).map((spelling) => ({ path: spelling })),
  },
  {
    code: 'time-left-out',
    part: 'time',
    spoil: ({ transmissionTime }) =>
      transmissionTime === '' ? [] : [{ transmissionTime: '' }, { hasTimeLine: false, transmissionTime: '' }],
  },
  {
    code: 'time-not-sent',
    part: 'time',
    spoil: ({ transmissionTime }, { date }) =>
      transmissionTime === ''
        ? [{ hasTimeLine: false }, ...(date === undefined ? [] : [{ transmissionTime: date }])]
        : [],
  },
  {
    code: 'other-date-text',
    part: 'time',
    spoil: ({ transmissionTime }, { date }) =>
      dateTexts(transmissionTime, date).map((text) => ({ transmissionTime: text })),
  },
  { code: 'body-left-out', part: 'body', spoil: ({ body }) => (body.length === 0 ? [] : [{ body: Buffer.alloc(0) }]) },
  {
    code: 'body-with-other-ends',
    part: 'body',
    spoil: ({ body }) => otherEnds(body).map((text) => ({ body: Buffer.from(text) })),
  },
  {
    code: 'body-serialised-again',
    part: 'body',
    spoil: ({ body }) => serialisations(body).map((text) => ({ body: Buffer.from(text) })),
  },
  {
    code: 'body-in-other-encoding',
    part: 'body',
    spoil: ({ body }) => [
      { body: Buffer.from(body.toString(), 'latin1') },
      { body: Buffer.from(body.toString('latin1')) },
    ],
  },
  {
    code: 'body-digested',
    part: 'body',
    spoil: ({ body }) =>
      ['sha256', 'sha512'].flatMap((algorithm) => {
        const digest = createHash(algorithm).update(body).digest();
        return [{ body: Buffer.from(digest.toString('hex')) }, { body: Buffer.from(digest.toString('base64')) }];
      }),
  },
  { code: 'method-in-small-letters', part: 'method', spoil: ({ method }) => [{ method: method.toLowerCase() }] },
  {
    code: 'other-line-ends',
    part: 'lines',
    spoil: () =>
      ['\r\n', '\\n', '', ':', ' '].flatMap((end) => [
        { lineEnd: end, lastLineEnd: end },
        { lineEnd: end, lastLineEnd: '' },
      ]),
  },
  {
    code: 'secret-altered',
    part: 'secret',
    spoil: ({ key }) => alteredSecrets(String(key)).map((altered) => ({ key: altered })),
  },
];

function prefixOf(baseUrl: string): string {
  return parseAddress(baseUrl)?.pathname.replace(/\/$/, '') ?? '';
}

function spellings(path: string, url: string): string[] {
  const [decoded = path] = signedPaths(url).slice(-1);
  const all = [
    path.toLowerCase(),
    path.endsWith('/') ? path.slice(0, -1) : `${path}/`,
    encodeURI(decoded),
    decoded.split('/').map(encodeURIComponent).join('/'),
    decoded.split('/').map(encodeURIComponent).join('/').replaceAll('%20', '+'),
    pathOnTheWire(url).replace(/%[0-9a-f]{2}/gi, (code) => code.toLowerCase()),
    pathOnTheWire(url).replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()),
    encodeURIComponent(path),
  ];
  return all.filter((spelling) => spelling !== path);
}

function dateTexts(sent: string, date: string | undefined): string[] {
  const instant = parseTransmissionTime(sent);
  if (instant === undefined) return [];
  const iso = new Date(instant).toISOString();
  const whole = iso.replace(/\.\d{3}Z$/, '');
  const fraction = /\.\d+/.exec(sent)?.[0] ?? '';
  return [
    iso,
    `${whole}Z`,
    `${whole}${fraction}Z`,
    iso.replace('Z', '+00:00'),
    `${whole}+00:00`,
    `${whole}+0000`,
    whole,
    `${whole}${fraction}`,
    sent.replace('T', ' '),
    String(instant),
    String(Math.floor(instant / 1000)),
    new Date(instant).toUTCString(),
    ...(date === undefined ? [] : [date]),
  ].filter((text) => text !== sent);
}

function serialisations(body: Buffer): string[] {
  if (body.length === 0) return ['{}', 'null', '""'];
  const value = parse(body.toString());
  if (value === undefined) return [];
  const compact = JSON.stringify(value);
  const roomy = JSON.stringify(value, undefined, 1).replace(/\n */g, ' ');
  return [
    compact,
    JSON.stringify(value, undefined, 2),
    JSON.stringify(value, undefined, 4),
    JSON.stringify(value, undefined, '\t'),
    // As some languages write JSON: a blank after each comma and colon, other characters than ASCII escaped.
    roomy.replace(/([[{]) | ([\]}])/g, '$1$2'),
    compact.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    compact.replaceAll('/', '\\/'),
    JSON.stringify(compact),
  ];
}

/** A body that is no JSON is no reason to fail here, and what the parser says of it must not be told. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function otherEnds(body: Buffer): string[] {
  const text = body.toString();
  const unix = text.replaceAll('\r\n', '\n');
  return [
    `${text}\n`,
    `${text}\r\n`,
    text.trim(),
    text.trimEnd(),
    unix,
    unix.replaceAll('\n', '\r\n'),
    `\ufeff${text}`,
  ];
}

function alteredSecrets(secret: string): (string | Buffer)[] {
  return [
    `${secret}\n`,
    secret.replace(/^hs_/, ''),
    secret.toLowerCase(),
    Buffer.from(secret, 'base64'),
    Buffer.from(secret, 'base64url'),
    Buffer.from(secret.replace(/^hs_/, ''), 'base64'),
    Buffer.from(secret, 'utf16le'),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ];
}
