import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { Code } from './copyable.tsx';

/** What stands where a list is empty: what would be here, and how to get it. */
export function Empty(props: {
  readonly title: string;
  readonly text?: string;
  readonly curl?: string;
  readonly children?: ReactNode;
}) {
  const { title, text, curl, children } = props;
  return (
    <div className="empty">
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {curl !== undefined && <Code text={curl} />}
      {children}
    </div>
  );
}

/** What stands where a list is empty: where it was narrowed, that nothing fits; else what would be here. */
export function NoRows({
  isNarrowed,
  title,
  text,
}: {
  readonly isNarrowed: boolean;
  readonly title: string;
  readonly text: string;
}) {
  const { t } = useWords();
  return isNarrowed ? <Empty title={t('noMatch')} text={t('noMatchText')} /> : <Empty title={title} text={text} />;
}

/** Whether a list is narrowed: something is asked for. */
export const isNarrowedBy = (asked: object): boolean => Object.values(asked).some((one) => one !== undefined);

/** A grey line in the place of a text that is on its way. */
export function Skeleton({ width = '100%' }: { readonly width?: string }) {
  return <span className="skeleton" style={{ width }} aria-hidden />;
}

const WIDTHS = ['70%', '45%', '60%', '38%', '66%'];

/** Several such lines. */
export function SkeletonLines() {
  return (
    <div className="stack-small" aria-busy>
      {WIDTHS.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
