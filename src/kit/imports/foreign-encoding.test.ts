import { expect, test } from 'vitest';
import { foreignEncoding } from './foreign-encoding.ts';

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['UTF-8', Buffer.from('{"a":1}'), undefined],
  ['UTF-8 with its mark', Buffer.from('\ufeff{'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
  ['one byte', Buffer.from('{'), undefined],
  ['UTF-16LE with its mark', Buffer.from('\ufeff{', 'utf16le'), 'UTF-16'],
  ['UTF-16BE with its mark', bigEndian('\ufeff{'), 'UTF-16'],
  ['UTF-16LE', Buffer.from('payer', 'utf16le'), 'UTF-16'],
  ['UTF-16BE', bigEndian('payer'), 'UTF-16'],
  ['UTF-32LE with its mark', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), 'UTF-32'],
  ['UTF-32BE with its mark', Buffer.from([0, 0, 0xfe, 0xff]), 'UTF-32'],
])('%s', (_, bytes, encoding) => {
  expect(foreignEncoding(bytes)).toBe(encoding);
});
