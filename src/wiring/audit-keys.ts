import { writeAudit } from '../journal/write-audit.ts';
import type { KeysOfPortal } from '../keys/keys.types.ts';
import { OPERATOR } from '../kit/ids.ts';

/** Writes down what somebody does to keys. Keys belong to the operator. */
export const auditKeysBy: KeysOfPortal['auditBy'] = (actor) => (transaction, events) =>
  writeAudit(
    transaction,
    events.map(({ action, objectId }) => ({ payeeId: OPERATOR, actor, action, objectId })),
  );
