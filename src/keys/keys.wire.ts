import { Type } from 'typebox';
import { InstantOrNull } from '../kit/portal.wire.ts';

export const KeyList = Type.Object({
  keys: Type.Array(
    Type.Object(
      {
        id: Type.String({ description: 'As in card-data-2' }),
        purpose: Type.Enum([
          'account-numbers',
          'card-data',
          'card-history',
          'card-verification',
          'fingerprint',
          'guesses',
          'identity',
          'networks',
          'page-links',
          'portal-users',
          'secrets',
          'token-lines',
        ]),
        state: Type.Enum(['Prepared', 'Current', 'Previous', 'Retired', 'Destroyed']),
        isHeld: Type.Boolean({ description: 'Whether the ring has it' }),
        isRotatable: Type.Boolean({ description: 'Whether the keys of its purpose can be rotated' }),
        usedSince: InstantOrNull,
        stateSince: InstantOrNull,
        isDue: Type.Boolean({ description: 'Whether it is the current one, and older than keys should be' }),
        rowsLeft: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Of a previous key: rows that are still to be moved; a million or more are not counted on',
        }),
      },
      { $id: 'Key' },
    ),
  ),
});

export const KeyParams = Type.Object({ keyId: Type.String({ description: 'The key, as in card-data-2' }) });

export const ActivatedKey = Type.Object({
  from: Type.String({ description: 'The key that rows are to be moved from' }),
  to: Type.String({ description: 'The key that is current now' }),
});

export const MovedRows = Type.Object({
  moved: Type.Integer({ description: 'Rows that this step has moved to the current key' }),
  isDone: Type.Boolean({ description: 'Whether no row uses the key any more, which is retired then' }),
});
