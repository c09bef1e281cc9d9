import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Trouble } from '../../src/kit/work/trouble.ts';
import { pageCommands } from '../../src/payments/page-integrity/check-page.cli.ts';
import { addCommands } from '../../src/wiring/commands/frame.ts';
import { type PayPage, payPage } from '../support/payer/pay-page.ts';
import { type TestService, testService } from '../support/service.ts';

/** A page, or a file, as it passes whatever stands before the service. */
interface Passing {
  readonly path: string;
  status: number;
  headers: Record<string, string>;
  text: string;
}

let kontor: TestService;
let between: Server;
let tamper: (passing: Passing) => void;
let page: PayPage;
beforeAll(async () => {
  kontor = await testService();
  between = createServer(async ({ url = '', headers }, response) => {
    const passing = await fetched(url, headers);
    tamper(passing);
    response.writeHead(passing.status, passing.headers).end(passing.text);
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
});
beforeEach(async () => {
  tamper = () => undefined;
  page = await payPage(kontor);
});
afterAll(async () => {
  between.close();
  await kontor.stop();
});

async function fetched(path: string, { accept = '*/*' }: IncomingHttpHeaders): Promise<Passing> {
  const answer = await fetch(`${kontor.baseUrl}${path}`, { headers: { accept }, redirect: 'manual' });
  const headers = Object.fromEntries(answer.headers);
  for (const name of ['content-encoding', 'content-length', 'connection', 'transfer-encoding']) delete headers[name];
  return { path, status: answer.status, headers, text: await answer.text() };
}

/** Runs the command as cron does: what it prints, and what it complains of. */
async function check(path = page.path, ...words: string[]) {
  const lines: string[] = [];
  const program = new Command('kontor');
  addCommands(program.command('page'), pageCommands, { print: (text) => void lines.push(text) });
  const url = path.startsWith('/') ? `http://127.0.0.1:${(between.address() as AddressInfo).port}${path}` : path;
  const trouble = await program.parseAsync(['page', 'check', url, ...words], { from: 'user' }).then(
    () => undefined,
    (error: unknown) => {
      expect(error).toBeInstanceOf(Trouble);
      return String(error);
    },
  );
  return { printed: lines.join('\n'), trouble };
}

const onPage = (change: (passing: Passing) => void) => (passing: Passing) => {
  if (passing.path.startsWith('/pay/')) change(passing);
};
const set = (passing: Passing, changes: Partial<Passing>) => void Object.assign(passing, changes);
const intoPage = (from: string | RegExp, to: string) =>
  onPage((passing) => {
    expect(passing.text).toMatch(from);
    passing.text = passing.text.replace(from, to);
  });
const intoPolicy = (from: string, to: string) =>
  onPage(({ headers }) => {
    expect(headers['content-security-policy']).toContain(from);
    headers['content-security-policy'] = String(headers['content-security-policy']).replace(from, to);
  });

describe('kontor page check', () => {
  it('finds nothing on a page that nothing has changed, in each language and in a frame', async () => {
    expect(await check()).toEqual({ printed: expect.stringContaining('✓'), trouble: undefined });
    const urls = { hostUrls: ['https://shop.example'], logoUrl: 'https://pictures.example/logo.svg' };
    const framed = await payPage(kontor, { urls, generatePaymentToken: true, payerReference: 'p-1' });
    for (const path of [
      framed.path,
      `${framed.path}/frame`,
      ...['nb-NO', 'sv-SE', 'da-DK', 'fi-FI'].map((lang) => `${page.path}?lang=${lang}`),
    ]) {
      expect((await check(path)).trouble, path).toBeUndefined();
    }
    const { printed } = await check(page.path, '--json');
    const findings: { level: string }[] = JSON.parse(printed);
    expect(new Set(findings.map(({ level }) => level))).toEqual(new Set(['ok']));
    expect(findings.length).toBeGreaterThan(5);
  });

  it.each<[string, (passing: Passing) => void, RegExp]>([
    ['another script', intoPage('</body>', '<script src="/x.js"></script></body>'), /2 scripts/],
    ['a script in the page', intoPage('</head>', '<script>steal()</script></head>'), /scripts/],
    [
      'a script with our nonce',
      intoPage(/(nonce="[^"]+") defer><\/script>/, '$1 defer></script><script $1>steal()</script>'),
      /scripts/,
    ],
    ['a script from elsewhere', intoPage(/src="\/checkout/, 'src="https://evil.example/checkout'), /elsewhere/],
    ['an attribute that runs', intoPage('<body', '<body onload="steal()"'), /onload=/],
    ['an attribute that runs, in another case', intoPage('<body', '<body OnLoad="steal()"'), /onload=/],
    ['an attribute without quotes', intoPage('<body', '<body onload=steal()'), /markup/],
    ['a tag that swallows others', intoPage('<body', '<body x="a>b"'), /markup/],
    ['a base address', intoPage('<head>', '<head><base href="https://evil.example/">'), /<base>/],
    ['an object', intoPage('</body>', '<object data="/x"></object></body>'), /<object>/],
    ['a comment, behind which a browser reads otherwise', intoPage('<body', '<!-- --><body'), /markup/],
    ['a form that goes elsewhere', intoPage(/action="[^"]+"/, 'action="https://evil.example/pay"'), /evil\.example/],
    ['a form that goes to another page of this host', intoPage(/action="[^"]+"/, 'action="/echo"'), /elsewhere/],
    ['a button that sends elsewhere', intoPage('<button', '<button formaction="https://evil.example/"'), /formaction=/],
    ['no form', intoPage(/<form[^>]*>/g, ''), /no form/],
    ['a policy that lets more run', intoPolicy("script-src '", "script-src 'unsafe-inline' '"), /script-src/],
    [
      'a policy that lets forms go elsewhere',
      intoPolicy("form-action 'self'", "form-action 'self' https://evil.example"),
      /form-action/,
    ],
    [
      'a policy with one directive more',
      intoPolicy("default-src 'none'", "default-src 'none'; script-src-elem *"),
      /script-src-elem/,
    ],
    ['a policy without a directive', intoPolicy("; trusted-types 'none'", ''), /trusted-types/],
    [
      'a policy that only reports',
      onPage(({ headers }) => {
        headers['content-security-policy-report-only'] = String(headers['content-security-policy']);
        delete headers['content-security-policy'];
      }),
      /no Content-Security-Policy/,
    ],
    ['a header less', onPage(({ headers }) => void delete headers['referrer-policy']), /referrer-policy/],
    [
      'a header that is other',
      onPage((passing) => set(passing, { headers: { ...passing.headers, 'cache-control': 'public' } })),
      /cache-control/,
    ],
    [
      'a script that was changed on its way',
      (passing) => {
        if (passing.path.endsWith('.js')) passing.text += '\nsteal()';
      },
      /not what it should be/,
    ],
    [
      'a style sheet that was changed on its way',
      (passing) => {
        if (passing.path.endsWith('.css')) passing.text += 'a{}';
      },
      /not what it should be/,
    ],
    ['another status', onPage((passing) => set(passing, { status: 503 })), /503/],
    [
      'a way to elsewhere',
      onPage((passing) => {
        passing.status = 302;
        passing.headers['location'] = 'https://evil.example/';
      }),
      /302/,
    ],
  ])('finds %s', async (_what, change, complaint) => {
    tamper = change;
    expect((await check()).trouble).toMatch(complaint);
  });

  it('fails where no answer comes, and where the link is of no page that can be paid', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    expect((await check(`http://127.0.0.1:${port}/pay/a/b`)).trouble).toContain('ECONNREFUSED');
    expect((await check('/docs')).trouble).toContain('Give the link');
    expect((await check('ftp://pay.example/pay/a/b')).trouble).toContain('Give the link');
    expect((await check('/pay/a/b')).trouble).toContain('404');
    await page.pay();
    expect((await check()).trouble).toContain('no form');
  });
});

describe('what browsers report of a page', () => {
  const report = (body: unknown, type = 'application/reports+json') =>
    kontor.send('POST', '/checkout/reports', {
      accessToken: null,
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const counted = async () => {
    const text = await (await fetch(`${kontor.baseUrl}/metrics`)).text();
    const lines = text.matchAll(/^kontor_page_policy_reports_total\{directive="([^"]+)"\} (\d+)/gm);
    return Object.fromEntries([...lines].map(([, directive, count]) => [directive, Number(count)]));
  };

  it('is asked for by each page, and counted by directive, in both forms', async () => {
    const { headers } = await page.open();
    expect(headers.get('reporting-endpoints')).toBe('page="/checkout/reports"');
    expect(headers.get('content-security-policy')).toContain('report-uri /checkout/reports; report-to page');
    const old = await report({ 'csp-report': { 'effective-directive': 'script-src-elem' } }, 'application/csp-report');
    expect(old.status).toBe(204);
    const body = (effectiveDirective: string) => ({ type: 'csp-violation', body: { effectiveDirective } });
    await report([body('form-action'), body('script-src-attr'), body('made-up-by-a-stranger')]);
    expect(await counted()).toEqual({ 'script-src': 2, 'form-action': 1, other: 1 });
  });

  it('may be anything, and stops nothing', async () => {
    const before = await counted();
    const strange = ['', 'null', '[', '[null,1,"x"]', '{"csp-report":7}', '{"csp-report":{"effective-directive":{}}}'];
    for (const body of strange) expect((await report(body)).status, body).toBe(204);
    expect(await counted()).toEqual(before);
    const many = Array.from({ length: 500 }, () => ({ body: { effectiveDirective: 'img-src' } }));
    expect((await report(many)).status).toBe(204);
    expect((await counted())['img-src']).toBe(20);
  });
});
