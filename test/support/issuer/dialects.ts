import { codecFor } from '../../../src/iso8583/codec.rules.ts';
import type { Dialect } from '../../../src/iso8583/dialects/dialect.types.ts';
import { ISO93 } from '../../../src/iso8583/dialects/iso93.rules.ts';
import type { Message, Value } from '../../../src/iso8583/messages.types.ts';
import { Secret } from '../../../src/kit/secret.ts';

/** A dialect with these fields alone. */
export function dialectOf(others: Partial<Dialect>): Dialect {
  const { f48: _f48, fields: _fields, ...rest } = ISO93;
  return { ...rest, fields: {}, otherFields: [], ...others };
}

/** The host's side of a dialect: what we send it reads, and the other way round. */
export function hostSide(dialect: Dialect): Dialect {
  const { prefix, answerPrefix = prefix } = dialect.header;
  return { ...dialect, header: { ...dialect.header, prefix: answerPrefix, answerPrefix: prefix } };
}

export function plain({ type, fields, tags, notes }: Message) {
  const open = (values: Readonly<Partial<Record<string, Value>>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value]),
    );
  return { type, fields: open(fields), tags: open(tags), notes };
}

export function sentAndRead(dialect: Dialect, message: Message, mac?: Parameters<typeof codecFor>[1]) {
  const read: Message[] = [];
  const host = codecFor(hostSide(dialect), mac);
  host.splitter()(codecFor(dialect, mac).encode(message), (frame) => void read.push(host.decode(frame)));
  return read.map(plain);
}
