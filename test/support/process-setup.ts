import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { forgetPostgresVariables } from '../../src/config.ts';

forgetPostgresVariables();

/** Each log of a service listens for the end of its process, and test files with a service of their own share one. */
process.setMaxListeners(Number.POSITIVE_INFINITY);

/**
 * scrypt is slow on purpose: a fifth of a second of a core for a password, half a second for a key export. Each start of a
 * sandbox asks it about two passwords, and each sign-in about one, and these are the same in most files. So what it has
 * answered is remembered: the same bytes, but for the time. A test that looks at what happens when very many sign in has
 * each do so with another password.
 */
const { scrypt } = crypto;
const REMEMBERED = Symbol.for('kontor.test.scrypt');
type Call = [text: string, salt: Buffer, length: number, options: ScryptOptions, done: Done];
type Done = (error: Error | null, key: Buffer) => void;

if (!(REMEMBERED in globalThis)) {
  const known = new Map<string, Buffer>();
  Object.assign(globalThis, { [REMEMBERED]: known });
  crypto.scrypt = ((...[text, salt, length, options, done]: Call) => {
    const key = JSON.stringify([text, salt.toString('base64'), length, options.N, options.r, options.p]);
    const found = known.get(key);
    if (found !== undefined) {
      setImmediate(done, null, Buffer.from(found));
      return;
    }
    scrypt(text as BinaryLike, salt, length, options, (error, made) => {
      if (error === null) known.set(key, Buffer.from(made));
      done(error, made);
    });
  }) as typeof scrypt;
  syncBuiltinESMExports();
}
