/** Members that are instants: in JSON as the driver gives them. */
const INSTANTS: ReadonlySet<string> = new Set(['addedAt', 'createdAt', 'expiresAt', 'updatedAt']);

/**
 * The columns of a row as members of an object, for rows that travel inside of another one: a look-up of many keys has one row
 * for each. Amounts are numbers there, instants texts as the driver makes them, and bytes hexadecimal digits behind `\\x`.
 *
 * @param columns as a list of what is selected: `payee_id as "payeeId", number`
 * @param from the name that the row has
 */
export function rowAsJson(columns: string, from: string): string {
  const pairs = columns.split(',').map((column) => {
    const [name = '', member = name] = column.trim().split(' as ');
    return pairOf(member.replaceAll('"', '').trim(), `${from}.${name.trim()}`);
  });
  return `jsonb_build_object(${pairs.join(', ')})`;
}

function pairOf(member: string, value: string): string {
  if (!INSTANTS.has(member)) return `'${member}', ${value}`;
  return `'${member}', to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
