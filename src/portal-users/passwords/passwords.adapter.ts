import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { assert } from '../../kit/assert.ts';
import { Refusal } from '../../kit/errors.ts';
import { equalDigests, type Secret } from '../../kit/secret.ts';
import { createFairTurns, type Party, strangerAt } from '../../kit/work/fair-turns.ts';
import type { Passwords } from '../portal-users.types.ts';

/** Passwords that are hashed at once, each in 16 MiB and a quarter of a second, and that may wait for it. */
const PASSWORD_HASHES = 2;
const PASSWORD_HASHES_WAITING = 20;
/** Milliseconds that they wait at most: less than a request may take. */
const PASSWORD_WAIT_MS = 4_000;

/**
 * Parameters by version: what is stored says which it was made with, so that a later version may be slower. Version 1 is
 * one of those that OWASP's cheat sheet on password storage names as equally strong, the one of 16 MiB.
 */
const VERSIONS: Readonly<Record<string, ScryptOptions>> = { scrypt1: { N: 2 ** 14, r: 8, p: 5 } };
const CURRENT = 'scrypt1';
const BYTES = 32;

/** Hashes passwords with scrypt (RFC 7914), salted, in Node's own threads. */
export function scryptPasswords(): Passwords {
  const hashes = createFairTurns(TURNS);
  const admissions = createFairTurns(TURNS);
  const derive = (password: Secret, salt: Buffer, version: string) =>
    hashes(OURS, () => deriveKey(password, salt, parametersOf(version)));
  const hash = async (password: Secret): Promise<string> => {
    const salt = randomBytes(16);
    const key = await derive(password, salt, CURRENT);
    return [CURRENT, salt.toString('base64'), key.toString('base64')].join('$');
  };
  return {
    hash,
    admit: (address, work) => admissions(strangerAt(address), work),
    isRight: async (password, stored) => {
      const [version = '', salt = '', key = ''] = (stored ?? NOBODYS).split('$');
      const derived = await derive(password, Buffer.from(salt, 'base64'), version);
      return equalDigests(derived, Buffer.from(key, 'base64'));
    },
  };
}

const TURNS = {
  atOnce: PASSWORD_HASHES,
  waiting: PASSWORD_HASHES_WAITING,
  patienceMs: PASSWORD_WAIT_MS,
  refusal: tooMany,
};

/** Where hashes are shared between strangers who were admitted and people who set a password, networks are not told apart. */
const OURS: Party = ['ours', 'ours'];

function parametersOf(version: string): ScryptOptions {
  const parameters = VERSIONS[version];
  assert(parameters, 'the version of a stored hash is known');
  return parameters;
}

/** No password leads to it: the work is that of any other, for a user that does not exist. */
const NOBODYS = [CURRENT, Buffer.alloc(16).toString('base64'), Buffer.alloc(BYTES).toString('base64')].join('$');

/** The same characters are the same password, however a keyboard puts them together (NIST SP 800-63B, 3.1.1.2). */
function deriveKey(password: Secret, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  const text = password.reveal().normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function tooMany(): Refusal {
  return new Refusal('toomanyrequests', 'Too many people are signing in at this moment.', { retryAfterSeconds: 5 });
}
