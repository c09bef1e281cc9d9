import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { projectFiles, type SourceFile } from './files.ts';

/** Written in pieces, so that this file does not find itself. */
const OUTSIDE = new RegExp(
  ['\\.\\./sha', 'red\\b|(?<![\\w.-])sha', 'red/(spec|design|data)\\b|/wo', 'rk/(main|sha', 'red)\\b'].join(''),
);

/**
 * SHA-256 of the names of payment companies, in lower case. The project stands for itself: an integrator must not take
 * it for another's product, nor a company's name for an endorsement.
 */
const COMPANIES = new Set([
  '12f03d79261dd46f',
  '183a617f8e852203',
  '2bed2032ed3d8300',
  '2d8ea6368bc91aa5',
  '3e1c89cb07628506',
  '57b7106841f1d706',
  '6517fe5345df0dfc',
  '6e1ae5dc1ae867f5',
  '98bd9fc2025ae070',
  'a34cec983cd911f5',
  'a480a469d4e9ebf4',
  'a9169a4881ab2b5b',
  'af66ecc9c7f957ba',
  'afc1c5c84cfac899',
  'afe4d16f403a383f',
  'e2d67f41fee239d1',
  'e539cb6d872a97e5',
  'e734c588ca36b3b8',
  'e9e9c53385529d01',
  'ee46e2d141d53f08',
  'f2bb6839372b9069',
]);

const isText = ({ path }: SourceFile) => path !== 'package-lock.json' && path !== 'LICENSE';

function outsidePaths(file: SourceFile): string[] {
  return file.text
    .split('\n')
    .flatMap((line, index) =>
      OUTSIDE.test(line)
        ? [`${file.path}:${index + 1} names a place outside the project. A clone does not have it.`]
        : [],
    );
}

function companies(file: SourceFile): string[] {
  const words = new Set(file.text.toLowerCase().match(/[a-z]{4,}/g));
  return [...words].filter((word) => COMPANIES.has(digest(word))).map((word) => `${file.path} names ${word}.`);
}

const digest = (word: string) => createHash('sha256').update(word).digest('hex').slice(0, 16);

describe('the project', () => {
  test('names no place outside itself', () => {
    expect(projectFiles().filter(isText).flatMap(outsidePaths)).toEqual([]);
  });

  test('names no payment company', () => {
    expect(projectFiles().filter(isText).flatMap(companies)).toEqual([]);
  });
});

describe('the rules', () => {
  test('find a path outside', () => {
    expect(outsidePaths({ path: 'a', text: `x\nsee ../${'shared'}/spec/contract.md` })).toHaveLength(1);
    expect(outsidePaths({ path: 'a', text: `cd /${'work'}/main` })).toHaveLength(1);
    expect(outsidePaths({ path: 'a', text: 'lock_timeout is shared/exclusive; a shared design' })).toEqual([]);
  });

  test('find a company', () => {
    expect(companies({ path: 'a', text: `Made for ${['Pay', 'Pal'].join('')}.` })).toHaveLength(1);
    expect(companies({ path: 'a', text: 'Made for a payment company.' })).toEqual([]);
  });
});
