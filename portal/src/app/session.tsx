import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { Session } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import type { OperationId } from '../api/endpoints.types.ts';
import { getSession, listPayees } from '../api/operations.generated.ts';
import type { Problem } from '../api/problem.ts';
import { useRead } from '../api/queries.ts';
import { forgetCredentials, keepCsrfToken, onSignedOut } from '../api/send.ts';
import { forgetSessionEnd, noteSessionEnd } from '../api/session-end.ts';

/** The payee that an operator looks at, for this tab alone. */
const PAYEE_KEPT_AS = 'kontor.payee';

interface SessionAccess {
  readonly session: Session;
  /** Whose objects the screens show. */
  readonly payeeId: string;
  /** Where that payee's days begin, as in `Europe/Oslo`. */
  readonly timeZone: string;
  readonly choosePayee: (payeeId: string) => void;
  /** Whether this person may call the operation, of the portal's API or of the public one. */
  readonly can: (operationId: OperationId) => boolean;
  readonly setSession: (session: Session | null) => void;
}

const SessionContext = createContext<SessionAccess | undefined>(undefined);

/** Who is signed in, and what that person may do. */
export function useSession(): SessionAccess {
  const access = useContext(SessionContext);
  if (access === undefined) throw new Error('useSession stands outside of a signed-in page.');
  return access;
}

/** The session as the service has it: undefined until it answered, null where the user is not signed in. */
export function useSessionQuery() {
  return useQuery({
    queryKey: [getSession],
    queryFn: () =>
      call(getSession, {}).catch((problem: Problem) => {
        if (problem.status === 401) {
          if (problem.problems.length > 0) noteSessionEnd(problem, false);
          return null;
        }
        throw problem;
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Takes over a session that an answer brought, or its end. What was read for another one is forgotten. */
export function useSetSession(): (session: Session | null) => void {
  const client = useQueryClient();
  return useCallback(
    (session) => {
      if (session !== null) forgetSessionEnd();
      keepCsrfToken(session?.csrfToken ?? '');
      forgetCredentials();
      const before = client.getQueryData<Session | null>([getSession]);
      client.setQueryData([getSession], session);
      if (before?.userId !== session?.userId)
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== getSession });
    },
    [client],
  );
}

export function SessionProvider({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  const setSession = useSetSession();
  keepCsrfToken(session.csrfToken);
  const own = session.payee.payeeId;
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(PAYEE_KEPT_AS) ?? own);
  const { data } = useRead(listPayees, session.role === 'operator' ? {} : undefined);
  const ofChosen = data?.payees.find((payee) => payee.payeeId === chosen);
  const timeZone = (session.role === 'operator' ? ofChosen : undefined)?.timeZone ?? session.payee.timeZone;
  useEffect(() => onSignedOut(() => setSession(null)), [setSession]);
  const access = useMemo(
    (): SessionAccess => ({
      session,
      payeeId: session.role === 'operator' ? chosen : own,
      timeZone,
      choosePayee: (payeeId) => {
        sessionStorage.setItem(PAYEE_KEPT_AS, payeeId);
        setChosen(payeeId);
      },
      can: (operationId) => session.operations.includes(operationId) || session.apiOperations.includes(operationId),
      setSession,
    }),
    [session, own, chosen, timeZone, setSession],
  );
  return <SessionContext value={access}>{children}</SessionContext>;
}
