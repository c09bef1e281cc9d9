import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProductionService, productionService } from '../support/prober/routes-production.ts';
import { tlsFiles } from '../support/tls-files.ts';

const files = tlsFiles();
const { certFile, keyFile } = files.of('ecdsa');
const ca = readFileSync(certFile);
/** The certificate is for a name; the test comes by address. */
const trust = { ca, checkServerIdentity: () => undefined };

let kontor: ProductionService;
beforeAll(async () => {
  kontor = await productionService({
    KONTOR_TLS_CERT: certFile,
    KONTOR_TLS_KEY: keyFile,
  });
});
afterAll(async () => {
  await kontor.stop();
  files.remove();
});

function get(path: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${kontor.accessToken}` };
    request(`${kontor.baseUrl}${path}`, { ...trust, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    })
      .on('error', reject)
      .end();
  });
}

function shake(options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: kontor.running.port, ...trust, ...options });
    socket.once('secureConnect', () => resolve(socket)).once('error', reject);
  });
}

describe('a service that speaks TLS itself', () => {
  test('answers over it, with https in its addresses', async () => {
    expect(kontor.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const { status, body } = await get(`/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`);
    expect(status).toBe(200);
    for (const { href } of JSON.parse(body).operations) {
      expect(href.replace(kontor.baseUrl, '')).toMatch(/^\/(online|psp)\//);
    }
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const socket = await shake({ minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    expect(socket.getCipher().name).toMatch(/GCM|CHACHA20/);
    socket.destroy();
  });

  test('does not speak older versions, nor ciphers without forward secrecy', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(shake(old)).rejects.toThrow();
    await expect(shake({ maxVersion: 'TLSv1.2', ciphers: 'AES256-SHA:ECDHE-ECDSA-AES256-SHA' })).rejects.toThrow();
  });

  test('tells when its certificate expires', async () => {
    const { body } = await get('/metrics');
    const told = /^kontor_certificate_expires_timestamp_seconds\{certificate="KONTOR_TLS_CERT"\} (\S+)$/m.exec(
      body,
    )?.[1];
    expect(Number(told) * 1_000).toBe(Date.parse(new X509Certificate(ca).validTo));
  });

  test('does not answer clear text, and goes on', async () => {
    await expect(fetch(`http://127.0.0.1:${kontor.running.port}/health/live`)).rejects.toThrow();
    expect((await get('/health/live')).status).toBe(200);
  });
});
