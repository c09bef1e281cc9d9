import { describe, expect, test } from 'vitest';
import { names as danish } from '../../locales/portal-names-da-DK.ts';
import { names as english } from '../../locales/portal-names-en-US.ts';
import { names as finnish } from '../../locales/portal-names-fi-FI.ts';
import { names as norwegian } from '../../locales/portal-names-nb-NO.ts';
import { names as swedish } from '../../locales/portal-names-sv-SE.ts';
import { ACTION_CATALOGUE, type AuditAction, type AuditObject } from '../../src/journal/actions.rules.ts';
import { AUDIT_DETAILS, type AuditDetail } from '../../src/journal/audit-details.rules.ts';
import { EVENT_TYPES, type EventResource, type EventType } from '../../src/journal/events.rules.ts';
import { CARD_PROBLEMS, type CardProblemCode } from '../../src/kit/cards/card-problems.ts';
import type { RefusalReason } from '../../src/kit/refused-caller.ts';
import type { MovementKind, Side } from '../../src/ledger/ledger.types.ts';
import type { CardTransaction } from '../../src/payments/payments.types.ts';
import type { ListedTransaction } from '../../src/portal/payments/story.types.ts';
import type { Archiver, TokenType } from '../../src/tokens/tokens.types.ts';

/** What the service calls things: a name that English lacks is a type error here, one that another language lacks there. */
type Named<Raw extends string> = Readonly<Record<Raw, string>>;
const GROUPS = {
  action: english.action satisfies Named<AuditAction>,
  detail: english.detail satisfies Named<AuditDetail>,
  object: english.object satisfies Named<AuditObject | EventResource>,
  event: english.event satisfies Named<EventType>,
  problem: english.problem satisfies Named<CardProblemCode>,
  movement: english.movement satisfies Named<MovementKind>,
  refusal: english.refusal satisfies Named<RefusalReason>,
  side: english.side satisfies Named<Side>,
  transaction: english.transaction satisfies Named<ListedTransaction['type']>,
  state: english.state satisfies Named<CardTransaction['state'] | 'OK' | 'FAILED' | 'REVERSED'>,
  tokenType: english.tokenType satisfies Named<TokenType>,
  archiver: english.archiver satisfies Named<Archiver>,
};

describe('the names that the portal shows', () => {
  test('are of the catalogue, and of nothing else', () => {
    expect(Object.keys(english.action).toSorted()).toEqual(Object.keys(ACTION_CATALOGUE).toSorted());
    expect(Object.keys(english.detail).toSorted()).toEqual(AUDIT_DETAILS.toSorted());
    expect(Object.keys(english.event).toSorted()).toEqual(EVENT_TYPES.toSorted());
    expect(Object.keys(english.problem).toSorted()).toEqual(Object.keys(CARD_PROBLEMS).toSorted());
  });

  test.each(Object.entries({ danish, finnish, norwegian, swedish }))('are words in %s', (_, others) => {
    for (const [group, texts] of Object.entries(others)) {
      expect(Object.keys(texts)).toEqual(Object.keys(english[group as keyof typeof english]));
      for (const [raw, text] of Object.entries(texts)) {
        expect(text.trim(), `${group} ${raw}`).not.toBe('');
        expect(text, `${group} ${raw}`).not.toMatch(/^[a-z]+-[a-z-]+$/);
      }
    }
    expect(Object.keys(GROUPS).every((group) => Object.hasOwn(others, group))).toBe(true);
  });
});
