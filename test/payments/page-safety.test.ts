import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptIn, linkIn, payPage, stateIn, TYPED } from '../support/payer/pay-page.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardPaymentsShop, MASTERCARD, VISA, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const authorizations = async (id: string) =>
  (await kontor.send('GET', `${id}?$expand=authorizations`)).body.payment.authorizations?.authorizationList ?? [];

describe('a link', () => {
  it('is the same each time, and tells another payment from this one', async () => {
    const page = await payPage(kontor);
    const other = await payPage(kontor);
    expect(linkIn(await page.payment())).toBe(`${kontor.baseUrl}${page.path}`);
    expect(other.path).not.toBe(page.path);
    expect(page.path).toMatch(/^\/pay\/[0-9a-f-]{36}\/[A-Za-z0-9_-]{64}$/);
  });

  it('that was never given out leads to a page that says so, whatever is wrong with it', async () => {
    const { path } = await payPage(kontor);
    const { payeeId } = await kontor.addPayee();
    const [, , own = '', secret = ''] = path.split('/');
    const altered = `${secret.slice(0, 30)}${secret[30] === 'A' ? 'B' : 'A'}${secret.slice(31)}`;
    const links = [
      `/pay/${own}/${altered}`,
      `/pay/${payeeId}/${secret}`,
      `/pay/${own}/${secret.slice(0, -1)}`,
      `/pay/${own}/${secret}A`,
      `/pay/${own.replace(/.$/, 'x')}/${secret}`,
      `/pay/${own}/${secret}/frame`,
      '/pay/x/y',
    ];
    for (const link of links) {
      for (const method of ['GET', 'POST']) {
        const body = method === 'POST' ? new URLSearchParams({ number: VISA }).toString() : undefined;
        const answer = await kontor.send(method, link, {
          accessToken: null,
          headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'fi' },
          ...(body !== undefined && { body }),
        });
        expect(answer.status, `${method} ${link}`).toBe(404);
        expect(stateIn(answer)).toBe('unknown');
        expect(answer.text).toContain('Emme tunne tätä linkkiä');
      }
    }
  });

  it('expires with its payment', async () => {
    const page = await payPage(kontor);
    const paymentId = page.id.split('/').at(-1);
    await kontor.database.asAdmin(
      `update card_payment set expires_at = kontor_now() where payment_id = '${paymentId}'`,
    );
    expect(stateIn(await page.open())).toBe('expired');
    const answer = await page.pay();
    expect(answer.status).toBe(303);
    expect(await authorizations(page.id)).toEqual([]);
  });

  it('is not there for a payment that is paid without its payer', async () => {
    const made = await payPage(kontor, { generateRecurrenceToken: true, payerReference: 'olga' });
    await made.pay({ consent: 'yes' });
    const { paid } = (await kontor.send('GET', `${made.id}/paid`)).body;
    const recurring = await cardPaymentsShop(kontor).create({
      operation: 'Recur',
      prices: undefined,
      amount: 100,
      recurrenceToken: paid.tokens[0].token,
    });
    expect(recurring.body.operations.filter(({ rel }: { rel: string }) => /redirect|view/.test(rel))).toEqual([]);
  });
});

describe('a form', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of this site', { 'sec-fetch-site': 'same-site' }],
    ['an address typed by hand', { 'sec-fetch-site': 'none' }],
    ['another origin, by an older browser', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
  ])('from %s is refused', async (_, headers) => {
    const page = await payPage(kontor);
    for (const below of ['', '/remove', '/authenticate', '/finish']) {
      const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
      const answer = await kontor.send('POST', `${page.path}${below}`, {
        accessToken: null,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...sent },
        body: new URLSearchParams(TYPED as Record<string, string>).toString(),
      });
      expect(answer).toMatchObject({ status: 403, body: { title: expect.any(String) } });
    }
    expect(await authorizations(page.id)).toEqual([]);
  });

  it('from an older browser, which does not say where it comes from, is taken', async () => {
    const page = await payPage(kontor);
    const answer = await kontor.send('POST', page.path, {
      accessToken: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' },
      body: new URLSearchParams(TYPED as Record<string, string>).toString(),
    });
    expect(answer.status).toBe(303);
  });

  it('must be one', async () => {
    const page = await payPage(kontor);
    const type = (value: string) => ({ headers: { 'content-type': value } });
    expect(await page.post('', {}, type('application/json'))).toMatchObject({ status: 415 });
    expect(await page.post('', {}, type('multipart/form-data; boundary=x'))).toMatchObject({ status: 415 });
    const twice = await kontor.send('POST', page.path, {
      accessToken: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'number=1&number=2',
    });
    expect(twice.status).toBe(400);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field-${index}`, '']));
    expect(await page.post('', many)).toMatchObject({ status: 400 });
    expect(await page.post('', { number: 'x'.repeat(70_000) })).toMatchObject({ status: 413 });
    expect(await kontor.send('PUT', page.path, { accessToken: null })).toMatchObject({ status: 405 });
  });

  it.each([
    ['number', { number: '' }],
    ['number', { number: '4925 0000 0000 0005' }],
    ['number', { number: '4925' }],
    ['number', { number: ['4111', '1111', '1111', '1111'].join(' ') }],
    ['expiry', { expiry: '' }],
    ['expiry', { expiry: '13/39' }],
    ['expiry', { expiry: '1239x' }],
    ['expiry', { expiry: '01/20' }],
    ['cvc', { cvc: '' }],
    ['cvc', { cvc: '12' }],
    ['cvc', { cvc: '1234' }],
    ['cvc', { number: '3776 010000 00000' }],
    ['name', { name: `Olivia ${VISA}` }],
    ['name', { name: 'Olivia 9578 1000 0000 0001' }],
    ['name', { name: 'x'.repeat(101) }],
    ['card', { card: 'b3a7b2ee-0000-4000-8000-000000000000' }],
  ])('with a wrong %s is shown again: %o', async (field, fields) => {
    const page = await payPage(kontor);
    const answer = await page.pay(fields);
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(new RegExp(`id="alert"[^>]*data-about="fields"(?! hidden)>[^]*href="#${field}`));
    for (const value of Object.values(fields).filter((text) => /\d{4}/.test(text) && text !== '1239x')) {
      if (field !== 'name') expect(answer.text.split('id="test-cards"')[0]).not.toContain(value);
    }
    expect(await authorizations(page.id)).toEqual([]);
  });

  it('says the same to a script, as data', async () => {
    const page = await payPage(kontor, { language: 'da-DK' });
    const headers = { accept: 'application/json' };
    const invalid = await page.pay({ cvc: '1' }, { headers });
    expect(invalid.body).toEqual({
      outcome: 'Invalid',
      errors: { cvc: 'Der er 3 kontrolcifre, og de står på bagsiden af kortet.' },
      attempt: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect((await page.pay({ number: VISA_WITH_3D_SECURE }, { headers })).body).toEqual({
      outcome: 'Authenticate',
      method: `${page.path}/method`,
      authenticate: `${page.path}/authenticate`,
      finish: `${page.path}/finish`,
      attempt: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect((await page.pay({}, { headers })).body).toEqual({ outcome: 'Go', url: page.path });
    const declined = await payPage(kontor, { prices: [{ type: 'CreditCard', amount: 900361 }] });
    expect((await declined.pay({}, { headers })).body).toEqual({
      outcome: 'Declined',
      isCalm: false,
      title: 'Betalningen gick inte igenom',
      message: expect.stringContaining('Det finns inte tillräckligt med pengar'),
      attempt: expect.any(String),
    });
  });

  it('keeps to what the payee asks for', async () => {
    const rejected = await payPage(kontor, { language: 'en-US' }, { rejectDebitCards: true });
    expect(stateIn(await rejected.pay())).toBe('declined');
    expect(await rejected.pay({ number: MASTERCARD })).toMatchObject({ status: 303 });
    const withoutCode = await payPage(kontor, {}, { noCvc: true });
    expect((await withoutCode.open()).text).not.toContain('name="cvc"');
    expect(await withoutCode.pay({ cvc: undefined })).toMatchObject({ status: 303 });
    expect(stateIn(await withoutCode.open())).toBe('paid');
  });
});

describe('paying twice', () => {
  it('with one form is one authorization, also at once', async () => {
    const page = await payPage(kontor);
    const attempt = attemptIn(await page.open());
    const answers = await Promise.all(Array.from({ length: 5 }, () => page.post('', { ...TYPED, attempt })));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(303));
    expect(await authorizations(page.id)).toHaveLength(1);
  });

  it('of a declined card with one form is one try', async () => {
    const page = await payPage(kontor, { prices: [{ type: 'CreditCard', amount: 900351 }] });
    const attempt = attemptIn(await page.open());
    for (let sent = 0; sent < 4; sent++) {
      expect(stateIn(await page.post('', { ...TYPED, attempt }))).toBe('declined');
    }
    expect(await authorizations(page.id)).toHaveLength(1);
  });

  it('in two windows is one authorization, and both see it', async () => {
    const page = await payPage(kontor);
    const forms = await Promise.all([page.open(), page.open()]);
    const cards = [VISA, MASTERCARD];
    const answers = await Promise.all(
      forms.map((form, index) => page.post('', { ...TYPED, number: cards[index], attempt: attemptIn(form) })),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await authorizations(page.id)).toHaveLength(1);
    expect(stateIn(await page.open())).toBe('paid');
  });

  it('with one form but another card shows what became of the first', async () => {
    const page = await payPage(kontor, { prices: [{ type: 'CreditCard', amount: 900351 }] });
    const attempt = attemptIn(await page.open());
    await page.post('', { ...TYPED, attempt });
    const answer = await page.post('', { ...TYPED, number: MASTERCARD, attempt });
    expect(answer.status).toBe(303);
    expect(await authorizations(page.id)).toHaveLength(1);
  });
});

describe('when the service fails', () => {
  it('a payer is shown a page, and a program gets a problem', async () => {
    const page = await payPage(kontor, { language: 'sv-SE' });
    await kontor.database.asAdmin('alter table card_payment rename to card_payment_away');
    try {
      const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'sv' };
      for (const answer of [await page.open({ headers }), await page.post('', TYPED, { headers })]) {
        expect(answer.status).toBe(500);
        expect(stateIn(answer)).toBe('trouble');
        expect(answer.text).toContain('du debiteras inte två gånger');
        expect(answer.text).toContain(`href="${page.path}"`);
      }
      const problem = await page.open();
      expect(problem.headers.get('content-type')).toContain('application/problem+json');
    } finally {
      await kontor.database.asAdmin('alter table card_payment_away rename to card_payment');
    }
    expect(stateIn(await page.open())).toBe('ready');
  });
});

describe('what browsers are told', () => {
  const urls = {
    hostUrls: ['https://shop.example/checkout', 'https://shop.example/other', 'https://app.shop.example:8443'],
    completeUrl: 'https://done.example/thanks?order=1',
    logoUrl: 'https://pictures.example/logo.svg',
  };
  const directives = (policy: string | null) =>
    new Map((policy ?? '').split('; ').map((directive) => [directive.split(' ', 1)[0], directive]));

  it('of the page by itself: nothing from elsewhere but the logo, and in frames banks alone', async () => {
    const page = await payPage(kontor, { urls });
    const { headers, text } = await page.open();
    const policy = directives(headers.get('content-security-policy'));
    const nonce = /nonce="([^"]+)"/.exec(text)?.[1];
    expect([...policy.values()].sort()).toEqual(
      [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "frame-src 'self' https: http://127.0.0.1:*",
        "img-src 'self' https://pictures.example",
        'report-to page',
        'report-uri /checkout/reports',
        "require-trusted-types-for 'script'",
        `script-src 'nonce-${nonce}'`,
        "style-src 'self'",
        "trusted-types 'none'",
      ].sort(),
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    expect((await page.open()).text).not.toContain(nonce);
  });

  it('of the page in a frame: who may frame it', async () => {
    const page = await payPage(kontor, { urls });
    const { headers, text } = await page.open({ below: '/frame' });
    const policy = directives(headers.get('content-security-policy'));
    expect(policy.get('frame-ancestors')).toBe('frame-ancestors https://shop.example https://app.shop.example:8443');
    expect(headers.get('x-frame-options')).toBeNull();
    expect(text).toContain('data-frame="true"');
    expect((await page.pay({}, { below: '/frame' })).headers.get('location')).toBe(`${page.path}/frame`);
    expect(stateIn(await page.open({ below: '/frame' }))).toBe('paid');
  });

  it('no script and no style stands in the page itself', async () => {
    const page = await payPage(kontor, { urls, generatePaymentToken: true });
    for (const { text } of [await page.open(), await page.pay({ cvc: '' }), await page.open({ below: '/frame' })]) {
      expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/);
      expect(text.match(/<script/g)).toHaveLength(1);
      expect(text).toMatch(
        /<script src="\/checkout\/page-[0-9a-f]{12}\.js" integrity="sha384-[^"]+" nonce="[^"]+" defer>/,
      );
    }
  });

  it('weighs less than 50 kB with all that it loads', async () => {
    const page = await payPage(kontor, { urls: {}, generatePaymentToken: true });
    const { text } = await page.open();
    const files = [...text.matchAll(/(?:href|src)="(\/checkout\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(3);
    const loaded = await Promise.all(files.map((path) => kontor.send('GET', path, { accessToken: null })));
    for (const { headers } of loaded) expect(headers.get('cache-control')).toContain('immutable');
    const bytes = [text, ...loaded.map((answer) => answer.text)].reduce(
      (sum, part) => sum + Buffer.byteLength(part),
      0,
    );
    expect(bytes).toBeLessThan(50_000);
  });

  it('what a payee writes is text and nothing else', async () => {
    const page = await payPage(kontor, {
      description: '<script>alert(1)</script>',
      payeeInfo: { payeeName: '"><img src=x onerror=alert(1)>' },
    });
    const { text } = await page.open();
    expect(text).not.toMatch(/<script>|<img/);
    expect(text).toContain('&lt;script&gt;');
  });
});
