/** Rows by a key, in their order: as `Map.groupBy`, which Node has from 21 on. */
export function groupBy<Row, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) addTo(groups, keyOf(row), row);
  return groups;
}

/** Adds a row to the group of its key. */
export function addTo<Key, Row>(groups: Map<Key, Row[]>, key: Key, row: Row): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [row]);
  else group.push(row);
}
