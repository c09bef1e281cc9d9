import { expect, test } from 'vitest';
import { browserOf } from './browser.rules.ts';

const ASKED = {
  accept: 'application/json',
  acceptLanguage: 'pl-PL,pl;q=0.9,en;q=0.8',
  userAgent: 'Mozilla',
  address: undefined,
  language: 'en-US',
};
const of = (fields: Record<string, string>, asked: Partial<typeof ASKED> = {}) =>
  browserOf(new Map(Object.entries(fields)), { ...ASKED, ...asked });

test.each([
  ['as the script says', 'nn-NO', ASKED.acceptLanguage, 'nn-NO'],
  ['by its header without a script', undefined, ASKED.acceptLanguage, 'pl-PL'],
  ['by its header where the script says none', '', 'sv;q=1', 'sv'],
  ['of the page where the browser says none', undefined, undefined, 'en-US'],
  ['of the page where it takes any', undefined, '*', 'en-US'],
  ['without the subtags that there is no room for', 'zh-Hans-CN', undefined, 'zh-Hans'],
  ['of the page where it is none', '<script>', undefined, 'en-US'],
])("a browser's language is told %s", (_case, tongue, acceptLanguage, language) => {
  const asked = { acceptLanguage: acceptLanguage as string };
  expect(of(tongue === undefined ? {} : { tongue }, asked).language).toBe(language);
});

test.each([
  ['that the page was asked for with', 'text/html;q=0.9, */*', 'application/json', 'text/html;q=0.9, */*'],
  ['of the form without a script', undefined, 'text/html', 'text/html'],
  ['as anything where the browser has sent none', '', undefined, '*/*'],
  ['of the request where the script says something else', 'a\nb', 'text/html', 'text/html'],
  ['of the request where the script says too much', 'a'.repeat(2049), 'text/html', 'text/html'],
])("a browser's Accept header is told as the one %s", (_case, sent, accept, acceptHeader) => {
  expect(of(sent === undefined ? {} : { accept: sent }, { accept: accept as string }).acceptHeader).toBe(acceptHeader);
});
