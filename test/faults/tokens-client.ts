/** Where and as whom the client asks. */
export interface Target {
  readonly baseUrl: string;
  readonly payeeId: string;
  readonly accessToken: string;
}

/** What a client that renames tokens knows. It lives outside of what is killed. */
export interface Renames {
  /** How many answers with status 200 it got. */
  acknowledged(): number;
  /** How many requests it sent whose outcome it never learnt. */
  unknown(): number;
}

/** Of one token: the number of the last name that was acknowledged, and of the last that was sent. */
interface Progress {
  acknowledged: number;
  sent: number;
}

/**
 * Gives each token a new numbered name, again and again, until the service is cut off or it is told to stop: one request
 * at a time for each token, all tokens at once. What was sent is noted before, what was acknowledged after the answer.
 */
export function renameUntilCut(target: Target, guids: readonly string[]) {
  const progress = new Map<string, Progress>(guids.map((guid) => [guid, { acknowledged: 0, sent: 0 }]));
  let isStopped = false;
  let running = guids.length;
  const total = (count: (of: Progress) => number) => [...progress.values()].reduce((sum, of) => sum + count(of), 0);
  const loop = async (guid: string, of: Progress): Promise<void> => {
    while (!isStopped) {
      of.sent++;
      const status = await rename(target, guid, nameOf(of.sent)).catch(() => undefined);
      if (status !== 200) break;
      of.acknowledged = of.sent;
    }
    running--;
  };
  const renames: Renames = {
    acknowledged: () => total(({ acknowledged }) => acknowledged),
    unknown: () => total(({ sent, acknowledged }) => sent - acknowledged),
  };
  return {
    renames,
    over: Promise.all([...progress].map(([guid, of]) => loop(guid, of))),
    isOver: () => running === 0,
    stop: () => {
      isStopped = true;
    },
    /** Compares with the database: each acknowledged name must be there, with its audit row, or the one sent after it. */
    findLost: async (ask: (sql: string) => Promise<Record<string, unknown>[]>): Promise<string[]> => {
      const rows = await ask(`
        select t.token, t.display_name as name, (
          select count(*)::int from audit a
          where a.payee_id = t.payee_id and a.object_kind = 'token' and a.object_id = t.token || '-' || t.token_type
            and a.action = 'rename-token'
        ) as audits
        from payer_token t where t.token in (${guids.map((guid) => `'${guid}'`).join(', ')})`);
      const missing = rows.length === guids.length ? [] : [`${guids.length - rows.length} renamed tokens are gone`];
      return [...missing, ...rows.flatMap((row) => compare(row, progress.get(String(row['token']))))];
    },
  };
}

function compare({ token, name, audits }: Record<string, unknown>, of: Progress | undefined): string[] {
  if (of === undefined) return [`${token} was never renamed`];
  const possible = [of.acknowledged, of.sent];
  const found = possible.find((number) => name === nameOf(number) || (number === 0 && String(name).includes('*')));
  if (found === undefined) return [`${token} is called ${name}, though ${nameOf(of.acknowledged)} was acknowledged`];
  return audits === found ? [] : [`${token} has ${audits} audit rows for ${found} names`];
}

function nameOf(number: number): string {
  return `name ${number}`;
}

async function rename({ baseUrl, payeeId, accessToken }: Target, guid: string, displayName: string): Promise<number> {
  const response = await fetch(`${baseUrl}/online/payer/payees/${payeeId}/tokens/${guid}/displaynames`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ displayName }),
  });
  await response.arrayBuffer();
  return response.status;
}
