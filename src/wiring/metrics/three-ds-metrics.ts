import { Counter, type Registry } from 'prom-client';
import type { NoteLeftOut } from '../../issuers/authentication/three-ds.types.ts';

/** Counts members that were left out of the messages of directory servers. */
export function leftOutMetrics(registry: Registry): NoteLeftOut {
  const counter = new Counter({
    name: 'kontor_three_ds_left_out_total',
    help: 'Members of messages of directory servers that were not of their form, and left out.',
    labelNames: ['scheme', 'message', 'member'] as const,
    registers: [registry],
  });
  return ({ scheme, message, members }) => {
    for (const member of members) counter.inc({ scheme, message, member });
  };
}
