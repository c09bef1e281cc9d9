import { appendFileSync, chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tlsFiles } from '../../../test/support/tls-files.ts';
import { type CertificateFiles, readCertificate, reloadCertificate, secureServerOptions } from './tls.ts';

const files = tlsFiles();
const ECDSA = files.of('ecdsa');
const RSA = files.of('rsa');
afterAll(() => files.remove());

let server: Server;
let directory: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kontor-tls-'));
  server = createServer(secureServerOptions(readCertificate(ECDSA)), (_request, response) => response.end());
  await listen(server);
});

afterEach(async () => {
  await close(server);
  rmSync(directory, { recursive: true });
});

function listen(on: Server): Promise<void> {
  return new Promise((resolve) => on.listen(0, '127.0.0.1', resolve));
}

function close(on: Server): Promise<void> {
  return new Promise((resolve) => on.close(() => resolve()));
}

interface Handshake {
  readonly protocol: string | null;
  readonly cipher: string;
  readonly curve: string | undefined;
  readonly publicKeyType: 'ecdsa' | 'rsa';
}

/** Shakes hands with a server and hangs up; undefined where they cannot agree. */
function handshake(options: ConnectionOptions, on = server): Promise<Handshake | undefined> {
  const { port } = on.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options }, () => {
      resolve(describeHandshake(socket));
      socket.end();
    });
    socket.on('error', () => resolve(undefined));
  });
}

function describeHandshake(socket: TLSSocket): Handshake {
  const { name } = socket.getEphemeralKeyInfo() as { name?: string };
  const { asn1Curve } = socket.getPeerCertificate();
  return {
    protocol: socket.getProtocol(),
    cipher: socket.getCipher().name,
    curve: name,
    publicKeyType: asn1Curve === undefined ? 'rsa' : 'ecdsa',
  };
}

/** Level 0 lets the client offer what OpenSSL itself holds to be too weak. */
const weak = (minVersion: 'TLSv1' | 'TLSv1.1', ciphers = 'ALL:@SECLEVEL=0'): ConnectionOptions => ({
  minVersion,
  maxVersion: minVersion,
  ciphers,
});

describe('protocols', () => {
  test('TLS 1.2 and 1.3 are served, the newer one where the client can do both', async () => {
    expect(await handshake({ maxVersion: 'TLSv1.2' })).toMatchObject({ protocol: 'TLSv1.2' });
    expect(await handshake({ minVersion: 'TLSv1.3' })).toMatchObject({ protocol: 'TLSv1.3' });
    expect(await handshake({})).toMatchObject({ protocol: 'TLSv1.3', curve: 'X25519' });
  });

  test('TLS 1.0 and 1.1 are refused, though this client can speak them', async () => {
    // OpenSSL of today would refuse them anyway; without that safeguard our options must.
    const unguarded = { ciphers: 'ALL:@SECLEVEL=0' };
    const ours = createServer({ ...secureServerOptions(readCertificate(ECDSA)), ...unguarded });
    const lax = createServer({ ...readCertificate(ECDSA), ...unguarded, minVersion: 'TLSv1' });
    await Promise.all([listen(ours), listen(lax)]);
    for (const version of ['TLSv1', 'TLSv1.1'] as const) {
      expect(await handshake(weak(version), lax), version).toMatchObject({ protocol: version });
      expect(await handshake(weak(version), ours), version).toBeUndefined();
      expect(await handshake(weak(version)), version).toBeUndefined();
    }
    await Promise.all([close(ours), close(lax)]);
  });
});

describe('curves', () => {
  // In TLS 1.3, where they do not depend on the curve of the certificate.
  test.each(['X25519', 'P-256', 'P-384'])('%s is served', async (ecdhCurve) => {
    expect(await handshake({ minVersion: 'TLSv1.3', ecdhCurve })).toBeDefined();
  });

  test.each(['P-521', 'X448'])('%s is refused, though Node serves it by default', async (ecdhCurve) => {
    const lax = createServer(readCertificate(ECDSA));
    await listen(lax);
    expect(await handshake({ minVersion: 'TLSv1.3', ecdhCurve }, lax)).toBeDefined();
    expect(await handshake({ minVersion: 'TLSv1.3', ecdhCurve })).toBeUndefined();
    await close(lax);
  });
});

describe('ciphers of TLS 1.2', () => {
  const offer = (ciphers: string): ConnectionOptions => ({ maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` });

  test.each(['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-ECDSA-AES128-GCM-SHA256'])(
    '%s is served',
    async (cipher) => {
      expect(await handshake(offer(cipher))).toMatchObject({ cipher });
    },
  );

  test.each([
    'ECDHE-ECDSA-AES128-SHA',
    'ECDHE-ECDSA-AES256-SHA384',
    'ECDHE-ECDSA-AES128-SHA256',
    'ECDHE-ECDSA-AES128-CCM8',
    'ECDHE-ECDSA-ARIA128-GCM-SHA256',
  ])('%s is refused, though a server with wider options takes it', async (cipher) => {
    const lax = createServer({ ...readCertificate(ECDSA), ciphers: 'ALL:@SECLEVEL=0' });
    await listen(lax);
    expect(await handshake(offer(cipher), lax)).toMatchObject({ cipher });
    expect(await handshake(offer(cipher))).toBeUndefined();
    await close(lax);
  });

  test("the server's order counts, not the client's", async () => {
    const reversed = 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384';
    expect(await handshake(offer(reversed))).toMatchObject({ cipher: 'ECDHE-ECDSA-AES256-GCM-SHA384' });
  });

  test('a connection cannot be negotiated anew', async () => {
    const { port } = server.address() as AddressInfo;
    const failure = await new Promise<Error | null>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, maxVersion: 'TLSv1.2' }, () => {
        socket.renegotiate({}, (error) => {
          resolve(error);
          socket.destroy();
        });
      });
      socket.on('error', resolve);
    });
    expect(failure).toBeInstanceOf(Error);
  });
});

describe('reloadCertificate', () => {
  const place = (cert: CertificateFiles, key = cert): CertificateFiles => {
    const files = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
    copyFileSync(cert.certFile, files.certFile);
    copyFileSync(key.keyFile, files.keyFile);
    return files;
  };

  test('the next connection gets the new certificate, under the same rules', async () => {
    expect(await handshake({})).toMatchObject({ publicKeyType: 'ecdsa' });
    reloadCertificate(server, place(RSA));
    expect(await handshake({})).toMatchObject({ publicKeyType: 'rsa', protocol: 'TLSv1.3' });
    for (const cipher of ['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES128-GCM-SHA256']) {
      expect(await handshake({ maxVersion: 'TLSv1.2', ciphers: cipher })).toMatchObject({ cipher });
    }
    expect(await handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-SHA:@SECLEVEL=0' })).toBeUndefined();
    expect(await handshake(weak('TLSv1.1'))).toBeUndefined();
  });

  test('an open connection outlives it', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    reloadCertificate(server, place(RSA));
    socket.end('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    const answer = await new Promise((resolve) => socket.once('data', resolve));
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('files that do not belong together, or are not there, leave everything as it is', async () => {
    const missing = { certFile: join(directory, 'none.pem'), keyFile: ECDSA.keyFile };
    expect(() => reloadCertificate(server, place(RSA, ECDSA))).toThrow('do not belong together');
    expect(() => reloadCertificate(server, missing)).toThrow('ENOENT');
    expect(() => reloadCertificate(server, { ...ECDSA, keyFile: ECDSA.certFile })).toThrow();
    const brokenChain = place(RSA);
    appendFileSync(brokenChain.certFile, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(() => reloadCertificate(server, brokenChain)).toThrow();
    expect(await handshake({})).toMatchObject({ publicKeyType: 'ecdsa' });
    reloadCertificate(server, place(RSA));
    expect(await handshake({})).toMatchObject({ publicKeyType: 'rsa' });
  });
});

describe('a key that others may use', () => {
  const place = (mode: number, owner?: number): CertificateFiles => {
    const keyFile = join(directory, 'exposed.pem');
    copyFileSync(ECDSA.keyFile, keyFile);
    chmodSync(keyFile, mode);
    if (owner !== undefined) chownSync(keyFile, owner, owner);
    return { ...ECDSA, keyFile };
  };

  test.each([0o604, 0o644, 0o660, 0o620])('is refused with mode %o, by a start and by a reload', (mode) => {
    expect(() => readCertificate(place(mode))).toThrow(/^Others than its owner may use the key .* Run: chmod 0600 /);
    expect(() => reloadCertificate(server, place(mode))).toThrow('Others than its owner');
  });

  test.each([0o400, 0o600])('is none with mode %o', (mode) => {
    expect(readCertificate(place(mode)).key).toBeDefined();
  });

  // Only root can give a file to another user.
  test.runIf(process.getuid?.() === 0)('may be read by the group where root owns it, and only there', () => {
    expect(readCertificate(place(0o640)).key).toBeDefined();
    expect(() => readCertificate(place(0o640, 1000))).toThrow('Others than its owner');
  });
});
