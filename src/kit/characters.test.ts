import { expect, test } from 'vitest';
import { firstCharacters, spelled } from './characters.ts';

test.each([
  ['Åses Kafé', 'Ases Kafe'],
  ['Smørbrød & Æblegård', 'Smorbrod & AEblegard'],
  ['Müller Straße', 'Muller Strasse'],
  ['Łódź – Þórðar', 'Lodz - THordar'],
  ['Bjo\u0308rn’s', "Bjorn's"],
  ['½ ﬁ ＡＢ…', '1/2 fi AB...'],
  ['Кафе 王 \u{1F600}\n', '  '],
])('%s is %s in ASCII', (text, ascii) => {
  expect(spelled(text, 'ascii', 99)).toBe(ascii);
});

test.each([
  ['Åses Kafé', 'Åses Kafé'],
  ['A\u030ases', 'Åses'],
  ['Łódź – €', 'Lódz - EUR'],
  ['\x85\n', ''],
])('%s is %s in Latin-1', (text, latin1) => {
  expect(spelled(text, 'latin1', 99)).toBe(latin1);
});

test('what is spelled is cut, and never within the spelling of a character', () => {
  expect(spelled('ææææ', 'ascii', 5)).toBe('aeae');
  expect(spelled(`A${'\u0301'.repeat(5_000)}`, 'ascii', 5)).toBe('A');
});

test('the first characters of a text are whole', () => {
  expect(firstCharacters('\u{1F600}\u{1F600}ab', 3)).toBe('\u{1F600}\u{1F600}a');
  expect(firstCharacters('ab', 3)).toBe('ab');
});
