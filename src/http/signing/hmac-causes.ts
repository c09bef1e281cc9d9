import { LEAST_NONCE_CHARACTERS, NONCE_CHARACTERS, TRANSMISSION_TIME_SECONDS } from '../../kit/limits.ts';

/**
 * All that can be wrong with a signature, by its name in `docs/signing.md`: the line of the signed text that is wrong first,
 * from 1, or null where the text is not to blame; and in words what was done, and what to do instead. Never a value.
 */
export const CAUSES = {
  'other-scheme': [null, 'The header begins with HmacSHA512, in this spelling, and one blank.'],
  'other-fields': [null, 'After the blank come three fields with colons between them: user, nonce and digest.'],
  'other-nonce': [4, `The nonce has ${LEAST_NONCE_CHARACTERS} to ${NONCE_CHARACTERS} visible characters of ASCII.`],
  'other-algorithm': [null, 'The digest has the length of another algorithm. It is HMAC-SHA-512: 64 bytes.'],
  'digest-in-hex': [null, 'The digest is written in hexadecimal. It is written in Base64.'],
  'digest-encoded-twice': [
    null,
    'The digest is written in hexadecimal and that in Base64. Its 64 bytes are written in Base64.',
  ],
  'digest-in-base64url': [
    null,
    'The digest is written in Base64 for addresses. It is written in standard Base64, with + and /.',
  ],
  'digest-without-padding': [null, 'The digest lacks the == at its end. It has 88 characters.'],
  'no-digest': [null, 'The third field is no digest: 64 bytes in standard Base64 are 88 characters that end with ==.'],
  'no-header': [null, 'There is no Hmac header. It has the form: HmacSHA512 <user>:<nonce>:<digest>.'],
  'used-nonce': [
    4,
    'The nonce was used before: the request was carried out then. Make a new nonce for each request, also for a retry.',
  ],
  'unknown-user': [
    3,
    'This payee has no such HMAC key: it never had, or the key is revoked, has expired, or belongs to another payee than the access token.',
  ],
  'no-timestamp': [5, 'Transmission-Time is no timestamp. It is ISO 8601 with a zone, as in 2026-01-31T12:00:00Z.'],
  'wrong-clock': [
    5,
    `The digest is right, but Transmission-Time is more than ${TRANSMISSION_TIME_SECONDS} seconds away from our clock. Set the clock, and sign each request anew.`,
  ],
  'wrong-secret': [null, 'No usual mistake leads to this digest. Most likely the secret is not the one of this user.'],
  'wrong-secret-or-body': [
    6,
    'No usual mistake leads to this digest. Most likely the secret is not the one of this user, or the body was changed after it was signed: compare its length and SHA-256.',
  ],
  'no-last-line-feed': [
    6,
    'The last line feed is missing: each of the six lines ends with one, the body too, also where it is empty.',
  ],
  'path-with-query': [2, 'The path was signed with its query. Sign the path alone.'],
  'path-with-host': [2, 'The path was signed with scheme and host. Sign the path alone, from its first slash.'],
  'path-with-prefix': [
    2,
    'The path was signed with a prefix that this service does not see: a proxy before it takes it off. Sign the path as it arrives here.',
  ],
  'path-without-prefix': [2, 'The path was signed without its beginning. Sign all of it, from /api on.'],
  'path-spelt-otherwise': [
    2,
    'The path was signed in another spelling: in small letters, with or without a slash at its end, or percent-encoded in another way. Sign it as it is sent, or decoded.',
  ],
  'time-left-out': [5, 'The Transmission-Time header was sent but not signed. Its exact text is the fifth line.'],
  'time-not-sent': [
    5,
    'Without a Transmission-Time header the fifth line is empty, but it is there. The line was left out, or another date signed.',
  ],
  'other-date-text': [
    5,
    'The time was signed in another text than it was sent in. Make the text once; sign and send the same.',
  ],
  'body-left-out': [6, 'The body was sent but not signed. Its bytes are the sixth line.'],
  'body-with-other-ends': [
    6,
    'The body was signed with other line ends, or with or without a blank or line feed at its end. Sign the bytes that are sent.',
  ],
  'body-serialised-again': [
    6,
    'The body was signed in another form than it was sent in: serialised a second time, indented, or with other blanks. Make the bytes once; sign and send the same.',
  ],
  'body-in-other-encoding': [
    6,
    'The body was signed in another character encoding than it was sent in. Sign the bytes that are sent.',
  ],
  'body-digested': [6, 'A digest of the body was signed. The sixth line is the body itself.'],
  'method-in-small-letters': [1, 'The method was signed in small letters. It is signed in capitals.'],
  'other-line-ends': [
    1,
    'The lines do not end with one line feed each (the byte 0A): with a carriage return, with the two characters \\n, or with nothing.',
  ],
  'secret-altered': [
    null,
    'The secret was altered before it was used: decoded, cut, or read with a line feed at its end. The key is the secret as it was shown, in UTF-8.',
  ],
} as const satisfies Readonly<Record<string, readonly [line: number | null, words: string]>>;

/** The name of one. */
export type Cause = keyof typeof CAUSES;
