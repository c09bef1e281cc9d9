import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  readonly text?: string;
  /** What stands beside the title, such as a state. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly back?: ReactNode;
  readonly children: ReactNode;
}

/** A screen: its title, what can be done, and the rest. */
export function Page({ title, text, beside, actions, back, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Kontor`;
  }, [title]);
  return (
    <>
      <header className="page-header">
        <div>
          {back}
          <div className="actions">
            <h1>{title}</h1>
            {beside}
          </div>
          {text !== undefined && <p>{text}</p>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** The inside of a link back to a list. */
export function Back({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <ChevronLeft size={16} aria-hidden /> {children}
    </>
  );
}

/** Names and values, one below the other. What has no value is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
