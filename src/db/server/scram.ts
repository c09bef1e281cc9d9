import type { Client } from 'pg';

/** A server that did not prove to know the password was about to be believed. */
class NoScram extends Error {
  override readonly name = 'NoScram';
}

/** Whether a session failed because the server did not prove to know the password. */
export function isStranger(error: unknown): boolean {
  // The driver's own errors of a proof that is wrong have a text alone.
  return error instanceof NoScram || (error instanceof Error && error.message.startsWith('SASL'));
}

/** Whether an address asks for SCRAM, as `psql` is asked, too. */
export function asksForScram(url: string | undefined): boolean {
  return /[?&]require_auth=scram-sha-256(&|$)/.test(url ?? '');
}

/**
 * Makes a session that is about to connect accept SCRAM alone. With it the password does not leave us, and the server proves
 * that it knows what was made of the password. A server that asks for the password itself, or for nothing, may be anyone's:
 * the session ends with `NoScram` before it sends a password or a statement.
 */
export function requireScram({ connection }: Client): void {
  let isProven = false;
  const giveUp = (): void => {
    // The same bytes may hold the server's "ready", which would be taken for a session.
    connection.removeAllListeners('readyForQuery');
    connection.stream.destroy();
  };
  const refuse = (): void => {
    giveUp();
    connection.emit('error', new NoScram('The server does not prove to know the password.'));
  };
  // These come before the driver's own listeners, which it adds when it connects.
  connection.once('error', giveUp);
  connection.once('authenticationCleartextPassword', refuse);
  connection.once('authenticationMD5Password', refuse);
  connection.once('authenticationSASLFinal', () => {
    isProven = true;
  });
  connection.once('authenticationOk', () => {
    if (!isProven) refuse();
  });
}
