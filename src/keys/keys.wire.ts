import { Type } from 'typebox';

export const KeyList = Type.Object({
  keys: Type.Array(
    Type.Object(
      {
        id: Type.String({ description: 'As in card-data-2' }),
        purpose: Type.String(),
        state: Type.Enum(['Prepared', 'Current', 'Previous', 'Retired', 'Destroyed']),
        isHeld: Type.Boolean({ description: 'Whether the ring has it' }),
        rowsLeft: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Of a previous key: rows that are still to be moved; a million or more are not counted on',
        }),
      },
      { $id: 'Key' },
    ),
  ),
});
