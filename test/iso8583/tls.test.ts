import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LineAddress, Link } from '../../src/iso8583/link/link.types.ts';
import {
  answerTo,
  asking,
  authorization,
  type Heard,
  linkTo,
  ScriptedHost,
  send,
} from '../support/issuer/iso8583-host.ts';
import { until } from '../support/until.ts';

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../support/tls', name), 'utf8');
const HOST = { cert: pem('rsa.cert.pem'), key: pem('rsa.key.pem') };
const US = { cert: pem('ecdsa.cert.pem'), key: pem('ecdsa.key.pem') };
type Tls = Exclude<LineAddress['tls'], 'none'>;
const GOOD: Tls = { ca: HOST.cert, ...US, serverName: 'localhost' };

let host: ScriptedHost;
let port: number;
let link: Link | undefined;

beforeEach(async () => {
  host = new ScriptedHost();
  host.onAsk = (ask, socket) => send(socket, answerTo(ask));
  port = await host.listen({ ...HOST, ca: US.cert, requestCert: true, rejectUnauthorized: true });
});
afterEach(async () => {
  await link?.close();
  await host.close();
});

function open(tls: Tls): Heard {
  const opened = linkTo(port, { address: { host: '127.0.0.1', port, tls } });
  link = opened.link;
  return opened.heard;
}

test.each(['localhost', '127.0.0.1'])('both sides show certificates, the host as %s', async (serverName) => {
  open({ ...GOOD, serverName });
  expect(await asking(link as Link, authorization(1))).toMatchObject({ outcome: 'Answered' });
});

test.each([
  ['of another', { ca: US.cert }, /^Down (DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/],
  ['for another name', { serverName: 'h2h.example.com' }, /^Down ERR_TLS_CERT_ALTNAME_INVALID$/],
  ['whose key cannot be read', { key: 'no key' }, /^Down ERR_OSSL_\w+$/],
])('a certificate %s: no line, no byte, and the log says which', async (_name, others, cause) => {
  const heard = open({ ...GOOD, ...others });
  expect(await asking(link as Link, authorization(1), { sendMs: 200 })).toMatchObject({ outcome: 'NotSent' });
  expect(heard.states.find((state) => state.startsWith('Down'))).toMatch(cause);
  expect(host.received).toEqual([]);
});

test('a host that does not know our certificate hears nothing', async () => {
  const heard = open({ ...GOOD, ...HOST });
  await until(() => heard.states.some((state) => state.startsWith('Down')));
  expect(await asking(link as Link, authorization(1), { sendMs: 50 })).toMatchObject({ outcome: 'NotSent' });
  expect(host.ofType('1100')).toEqual([]);
});
