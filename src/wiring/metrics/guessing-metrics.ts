import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { GuessingListener } from '../../orders/guessing/guessing.types.ts';

/** Counts what payers enter as gift cards on pages, and the attacks among it. */
export function guessingMetrics(registry: Registry): GuessingListener {
  const entries = new Counter({
    name: 'kontor_gift_card_entries_total',
    help: 'Gift cards that payers entered on payment pages, by what that came to.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  const attacks = new Counter({
    name: 'kontor_gift_card_guessing_total',
    help: 'Times that the gift cards of a payee began to be guessed.',
    registers: [registry],
  });
  return { entered: (outcome) => entries.inc({ outcome }), attacked: () => attacks.inc() };
}

/** What entries of gift cards are told to: the metrics, and the log where an attack begins. */
export function guessingEvents(log: Pick<Logger, 'warn'>, metrics: GuessingListener): GuessingListener {
  return {
    entered: metrics.entered,
    attacked(payeeId) {
      metrics.attacked(payeeId);
      log.warn(
        { payeeId },
        'The gift cards of a payee are being guessed: a network waits there after three wrong entries.',
      );
    },
  };
}
