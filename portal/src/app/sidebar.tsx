import { Link, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { countPendingChanges } from '../api/operations.generated.ts';
import { usePayees, useRead } from '../api/queries.ts';
import { SelectField } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';
import { Brand } from './brand.tsx';
import { MENU } from './nav.ts';
import { useSession } from './session.tsx';

/** The menu: only what this person may open. */
export function Sidebar({ onLeave }: { readonly onLeave?: () => void }) {
  const { t } = useWords();
  const { session, can } = useSession();
  return (
    <nav className="sidebar" aria-label={t('menu')}>
      <Brand name={session.payee.name} note={t(session.mode)} />
      {session.role === 'operator' && <PayeeChoice />}
      <div>
        {MENU.map(({ title, places }) => {
          const open = places.filter(({ needs }) => can(needs));
          if (open.length === 0) return null;
          return (
            <div className="nav-group" key={title ?? 'first'}>
              {title !== undefined && <div className="nav-title">{t(title)}</div>}
              {open.map(({ to, title: name, icon: Icon }) => (
                <Link
                  key={to}
                  to={to}
                  className="nav-link"
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  onClick={() => onLeave?.()}
                >
                  <Icon size={17} aria-hidden />
                  {t(name)}
                  {to === '/approvals' && <WaitingCount />}
                </Link>
              ))}
            </div>
          );
        })}
      </div>
    </nav>
  );
}

/** How much waits for this person's decision: counted anew on each screen. Asking by a clock would keep a session alive. */
function WaitingCount() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { pathname } = useLocation();
  const { data, refetch } = useRead(countPendingChanges, { payeeId });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is another moment to count.
  useEffect(() => void refetch(), [pathname]);
  if (data === undefined || data.count === 0) return null;
  return (
    <span className="nav-count">
      <span aria-hidden>{data.count}</span>
      <span className="hidden-visually">{t('approvalsWait', { count: data.count })}</span>
    </span>
  );
}

/** Operators choose whose screens they see; each tab has its own choice. */
function PayeeChoice() {
  const { t } = useWords();
  const { session, payeeId, choosePayee } = useSession();
  const { data } = usePayees();
  const payees = [session.payee, ...(data?.payees ?? []).filter(({ payeeId: id }) => id !== session.payee.payeeId)];
  return (
    <SelectField
      label={t('payee')}
      choices={payees.map(({ payeeId: id, name }) => ({ id, label: name }))}
      value={payeeId}
      onChange={choosePayee}
    />
  );
}
