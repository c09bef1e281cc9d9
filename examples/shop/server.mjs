/**
 * A shop that takes card payments with Kontor: on Kontor's page, or in a frame on its own. Start a sandbox in this clone
 * (`npm start`), then:
 *
 *     node examples/shop/server.mjs
 *
 * It keeps its orders in memory and its one customer is always logged in: a real shop does neither.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { ordersOf } from './orders.mjs';
import { frontPage, messagePage, orderPage, viewPage } from './pages.mjs';

const HERE = import.meta.dirname;
/** Far above a callback and an order. */
const BODY_BYTES = 16_384;

const sandbox = readSandbox(process.env.SANDBOX_FILE ?? join(HERE, '../../data/sandbox.json'));
const kontorOrigin = new URL(sandbox.baseUrl).origin;
const server = createServer((request, response) => {
  answer(request)
    .catch((error) => page(error.status ?? 500, messagePage('That did not work', error.message)))
    .then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
});
server.listen(Number(process.env.SHOP_PORT ?? 8090), '127.0.0.1', () => {
  console.log(`The shop is open: ${origin()}`);
});
const orders = ordersOf(sandbox, origin);

function origin() {
  return `http://127.0.0.1:${server.address().port}`;
}

async function answer(request) {
  const { pathname } = new URL(request.url, origin());
  const [, place, id, what] = pathname.split('/');
  switch (`${request.method} ${what ? `/${place}/…/${what}` : id ? `/${place}/…` : `/${place}`}`) {
    case 'GET /':
      return page(200, frontPage(orders.all()));
    case 'POST /orders': {
      const wish = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
      return seeOther(await orders.place(wish));
    }
    case 'GET /orders/…':
      return page(200, orderPage(await orders.look(id)));
    case 'GET /orders/…/pay':
      return page(200, viewPage(await orders.look(id)));
    case 'POST /orders/…/capture':
      await orders.capture(id);
      return seeOther(`/orders/${id}`);
    case 'POST /orders/…/again':
      return seeOther(await orders.again(id));
    case 'POST /callbacks':
      return { status: (await orders.hear(request.headers, await bodyOf(request))) ? 204 : 401, headers: {} };
    case 'GET /shop.css':
      return file('shop.css', 'text/css; charset=utf-8');
    case 'GET /shop.js':
      return file('shop.js', 'text/javascript; charset=utf-8');
    default:
      return page(404, messagePage('There is nothing here', 'Nothing is sold at this address.'));
  }
}

/** The shop's pages run their own script and Kontor's, and frame Kontor alone. */
function page(status, body) {
  const policy = `default-src 'self'; img-src 'self' data:; script-src 'self' ${kontorOrigin}; frame-src ${kontorOrigin}; form-action 'self' ${kontorOrigin}`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }, body };
}

function file(name, type) {
  return { status: 200, headers: { 'content-type': type }, body: readFileSync(join(HERE, name)) };
}

function seeOther(location) {
  return { status: 303, headers: { location } };
}

async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > BODY_BYTES) throw Object.assign(new Error('That is too much.'), { status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function readSandbox(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new Error(`No sandbox in ${path}. Start one with \`npm start\`, or name its file in SANDBOX_FILE.`);
  }
}
