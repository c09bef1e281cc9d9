/**
 * Writes docs/operations.md, the list of every operation of the API, from its OpenAPI document: part of `npm run openapi`. A new
 * operation stands there by itself; a new group of operations needs a page that tells what it is for. `--check` writes nothing, and
 * fails where they differ.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Which page tells of a group of operations. */
const PAGES = {
  'Payer tokens': 'tokens.md',
  'Stored tokens': 'tokens.md',
  'Card payments': 'card-payments.md',
  'Payment orders': 'payment-orders.md',
  Payers: 'payers.md',
  Settlement: 'settlement.md',
  Reports: 'closing-a-month.md',
  'Account payments': 'account-payments.md',
  'Gift cards': 'gift-cards.md',
  Events: 'webhooks.md',
  Webhooks: 'webhooks.md',
  'OAuth 2': 'tokens.md',
  Health: 'operating/production.md',
};

const HEAD = `# Every operation of the API

Written from [openapi/kontor.json](../openapi/kontor.json) by \`npm run openapi\`. Each heading leads to the page that tells what its operations are for. The scope is what an
access token needs; the interactive reference, with members and examples, is at \`/docs\` of a running service.
`;

/** @returns {string} the page as it must stand */
function operationsPage() {
  const { paths, tags } = JSON.parse(readFileSync(join(root, 'openapi/kontor.json'), 'utf8'));
  const operations = Object.entries(paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ address, method: method.toUpperCase(), ...operation })),
  );
  const sections = tags.map(({ name }) => {
    if (PAGES[name] === undefined)
      throw new Error(`scripts/operations-page.mjs: name the page that tells of "${name}".`);
    const rows = operations.filter(({ tags: [tag] }) => tag === name).map(rowOf);
    return [`## [${name}](${PAGES[name]})`, '', '| | Address | Does | Scope |', '|---|---|---|---|', ...rows].join(
      '\n',
    );
  });
  return `${[HEAD, ...sections].join('\n\n').replace(/\n{3,}/g, '\n\n')}\n`;
}

function rowOf({ method, address, summary, security }) {
  const scopes = security.flatMap(({ oauth = [] }) => oauth).map((scope) => `\`${scope}\``);
  return `| ${method} | \`${address}\` | ${summary.replaceAll('|', '\\|')} | ${scopes.join(', ')} |`;
}

const file = join(root, 'docs/operations.md');
if (!process.argv.includes('--check')) writeFileSync(file, operationsPage());
else if (readFileSync(file, 'utf8') !== operationsPage())
  throw new Error('docs/operations.md is not up to date: npm run openapi');
