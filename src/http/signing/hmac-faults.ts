import { createHash } from 'node:crypto';
import { parseAddress } from '../../kit/address.ts';
import { pathOnTheWire, type SignedParts, signedPaths } from './hmac.ts';
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
  readonly code: string;
  /** Mistakes in different parts may come together. */
  readonly part: 'lines' | 'method' | 'path' | 'time' | 'body' | 'secret';
  /** The line of the signed text that it spoils first, from 1; null where the text is right. */
  readonly line: number | null;
  /** What was done, and what to do instead. */
  readonly words: string;
  /** The attempt as this mistake makes it: several ways, or none where it cannot have been made. */
  readonly spoil: (attempt: Attempt, around: Surroundings) => readonly Partial<Attempt>[];
}

/** The usual mistakes, the likeliest first. */
export const FAULTS: readonly Fault[] = [
  {
    code: 'no-last-line-feed',
    part: 'lines',
    line: 6,
    words: 'The last line feed is missing: each of the six lines ends with one, the body too, also where it is empty.',
    spoil: () => [{ lastLineEnd: '' }],
  },
  {
    code: 'path-with-query',
    part: 'path',
    line: 2,
    words: 'The path was signed with its query. Sign the path alone.',
    spoil: (_, { url }) => (url.includes('?') ? [{ path: url }] : []),
  },
  {
    code: 'path-with-host',
    part: 'path',
    line: 2,
    words: 'The path was signed with scheme and host. Sign the path alone, from its first slash.',
    spoil: ({ path }, { url, baseUrl, host }) =>
      [baseUrl, `http://${host}`, `https://${host}`, `${host}`].flatMap((front) =>
        [path, url].map((rest) => ({ path: `${front}${rest}` })),
      ),
  },
  {
    code: 'path-with-prefix',
    part: 'path',
    line: 2,
    words:
      'The path was signed with a prefix that this service does not see: a proxy before it takes it off. Sign the path as it arrives here.',
    spoil: ({ path }, { baseUrl }) =>
      [prefixOf(baseUrl), '/payment-api', '/api'].filter(Boolean).map((prefix) => ({ path: `${prefix}${path}` })),
  },
  {
    code: 'path-without-prefix',
    part: 'path',
    line: 2,
    words: 'The path was signed without its beginning. Sign all of it, from /api on.',
    spoil: ({ path }) =>
      ['/api/payments', '/api', '/'].flatMap((prefix) =>
        path.startsWith(prefix) ? [{ path: path.slice(prefix.length) }] : [],
      ),
  },
  {
    code: 'path-spelt-otherwise',
    part: 'path',
    line: 2,
    words:
      'The path was signed in another spelling: in small letters, with or without a slash at its end, or percent-encoded in another way. Sign it as it is sent, or decoded.',
    spoil: ({ path }, { url }) => spellings(path, url).map((spelling) => ({ path: spelling })),
  },
  {
    code: 'time-left-out',
    part: 'time',
    line: 5,
    words: 'The Transmission-Time header was sent but not signed. Its exact text is the fifth line.',
    spoil: ({ transmissionTime }) =>
      transmissionTime === '' ? [] : [{ transmissionTime: '' }, { hasTimeLine: false, transmissionTime: '' }],
  },
  {
    code: 'time-not-sent',
    part: 'time',
    line: 5,
    words:
      'Without a Transmission-Time header the fifth line is empty, but it is there. The line was left out, or another date signed.',
    spoil: ({ transmissionTime }, { date }) =>
      transmissionTime === ''
        ? [{ hasTimeLine: false }, ...(date === undefined ? [] : [{ transmissionTime: date }])]
        : [],
  },
  {
    code: 'other-date-text',
    part: 'time',
    line: 5,
    words: 'The time was signed in another text than it was sent in. Make the text once; sign and send the same.',
    spoil: ({ transmissionTime }, { date }) =>
      dateTexts(transmissionTime, date).map((text) => ({ transmissionTime: text })),
  },
  {
    code: 'body-left-out',
    part: 'body',
    line: 6,
    words: 'The body was sent but not signed. Its bytes are the sixth line.',
    spoil: ({ body }) => (body.length === 0 ? [] : [{ body: Buffer.alloc(0) }]),
  },
  {
    code: 'body-with-other-ends',
    part: 'body',
    line: 6,
    words:
      'The body was signed with other line ends, or with or without a blank or line feed at its end. Sign the bytes that are sent.',
    spoil: ({ body }) => otherEnds(body).map((text) => ({ body: Buffer.from(text) })),
  },
  {
    code: 'body-serialised-again',
    part: 'body',
    line: 6,
    words:
      'The body was signed in another form than it was sent in: serialised a second time, indented, or with other blanks. Make the bytes once; sign and send the same.',
    spoil: ({ body }) => serialisations(body).map((text) => ({ body: Buffer.from(text) })),
  },
  {
    code: 'body-in-other-encoding',
    part: 'body',
    line: 6,
    words: 'The body was signed in another character encoding than it was sent in. Sign the bytes that are sent.',
    spoil: ({ body }) => [
      { body: Buffer.from(body.toString(), 'latin1') },
      { body: Buffer.from(body.toString('latin1')) },
    ],
  },
  {
    code: 'body-digested',
    part: 'body',
    line: 6,
    words: 'A digest of the body was signed. The sixth line is the body itself.',
    spoil: ({ body }) =>
      ['sha256', 'sha512'].flatMap((algorithm) => {
        const digest = createHash(algorithm).update(body).digest();
        return [{ body: Buffer.from(digest.toString('hex')) }, { body: Buffer.from(digest.toString('base64')) }];
      }),
  },
  {
    code: 'method-in-small-letters',
    part: 'method',
    line: 1,
    words: 'The method was signed in small letters. It is signed in capitals.',
    spoil: ({ method }) => [{ method: method.toLowerCase() }],
  },
  {
    code: 'other-line-ends',
    part: 'lines',
    line: 1,
    words:
      'The lines do not end with one line feed each (the byte 0A): with a carriage return, with the two characters \\n, or with nothing.',
    spoil: () =>
      ['\r\n', '\\n', '', ':', ' '].flatMap((end) => [
        { lineEnd: end, lastLineEnd: end },
        { lineEnd: end, lastLineEnd: '' },
      ]),
  },
  {
    code: 'secret-altered',
    part: 'secret',
    line: null,
    words:
      'The secret was altered before it was used: decoded, cut, or read with a line feed at its end. The key is the secret as it was shown, in UTF-8.',
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

/** A body that is no JSON is no reason to fail here, and what the parser says of it is nobody's business. */
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
