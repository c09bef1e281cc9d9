import { parseAddress } from '../../../kit/addresses/address.ts';
import { isLoopback } from '../../../kit/addresses/network.ts';
import { BadJson, objectOf, type ReadJson, textLike } from '../../../kit/read-json.ts';
import type { MutualTls } from '../acquirers.types.ts';

// What the parts of acquirers.json have in common.

/** Where a file lies whose path the document names: absolute. */
export type FileAt = (path: string) => string;

/** A text of one line, of at most so many characters. */
export const text = (most: number, form: string) => textLike(/^[\x20-\x7e\xa0-\uffff]+$/, most, form);
/** Up to so many digits. */
export const digits = (most: number) => textLike(/^[0-9]+$/, most, `a text of 1 to ${most} digits`);
/** The path of a file, taken from where the document lies. */
export const fileOf = (fileAt: FileAt): ReadJson<string> => {
  const path = text(500, 'the path of a file');
  return (value, at) => fileAt(path(value, at));
};

/** What is read once the members beside it are known. */
export const anything: ReadJson<unknown> = (value) => value;

/** Certificates on both sides. */
export function mutualTls(fileAt: FileAt): ReadJson<MutualTls> {
  const file = fileOf(fileAt);
  return objectOf({ ca: file, cert: file, key: file });
}

/** `none` for a host on this machine, else certificates on both sides. */
export function tlsOrNone<Tls>(read: ReadJson<Tls>, host: string): ReadJson<Tls | 'none'> {
  return (value, path) => {
    if (value !== 'none') return read(value, path);
    if (!isLoopback(host)) throw new BadJson(path, 'is none, which goes to this machine alone');
    return value;
  };
}

/** An address of the web, of at most as many characters as EMV 3-D Secure allows. */
export function addressOf(): ReadJson<string> {
  const read = textLike(/^https?:\/\/[\x21-\x7e]+$/, 2048, 'an address with https or http');
  return (value, path) => {
    const address = read(value, path);
    if (hostOf(address) === '') throw new BadJson(path, 'is no address');
    return address;
  };
}

/** The host that an address leads to; empty where it is none. */
export function hostOf(address: string): string {
  return parseAddress(address)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}
