import { expect, test } from 'vitest';
import type { OpenAnswer } from '../route.types.ts';
import { homeRoutes } from './home.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function get(path: string, accept?: string, isSandbox = true): Promise<OpenAnswer> {
  const routes = homeRoutes({ version: '1.2.3', baseUrl: () => 'https://pay.example', isSandbox });
  const route = routes.find((candidate) => candidate.path === path);
  if (route === undefined) throw new Error(`no route ${path}`);
  return route.handle({
    params: {},
    query: {},
    headers: accept === undefined ? {} : { accept },
    body: Buffer.alloc(0),
    remoteAddress: '127.0.0.1',
    isLocal: true,
    sessionId: '',
  });
}

test('a program gets the addresses as JSON, absolute', async () => {
  for (const accept of [undefined, '*/*', 'application/json']) {
    const { status, headers, body } = await get('/', accept);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(String(body))).toEqual({
      service: 'Kontor',
      version: '1.2.3',
      links: {
        reference: 'https://pay.example/docs',
        openApi: 'https://pay.example/openapi.json',
        portal: 'https://pay.example/portal',
        health: 'https://pay.example/health/ready',
      },
    });
  }
});

test('a browser gets a page that loads nothing from elsewhere and runs nothing', async () => {
  const { headers, body } = await get('/', BROWSER);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['vary']).toBe('Accept');
  expect(String(body)).toMatch(/^<!doctype html>/);
  expect(String(body)).not.toMatch(/<script|style=|https?:/);
});

test('only a sandbox says that it is one', async () => {
  expect(String((await get('/', BROWSER, true)).body)).toContain('Use test card numbers only');
  expect(String((await get('/', BROWSER, false)).body)).not.toMatch(/sandbox/i);
});
