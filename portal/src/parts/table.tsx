import type { ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';
import { Skeleton } from './states.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the end. */
  readonly align?: 'end';
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are on their way. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly error?: unknown;
  /** What stands in the place of no rows. */
  readonly empty: ReactNode;
  readonly foot?: ReactNode;
  /** Has more columns than a page may be wide, and no link: it can be moved sideways by the keyboard. */
  readonly isWide?: boolean;
}

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

/**
 * A list as a table with its foot, one block in whatever surrounds it; on a phone each row becomes a small card. A row opens by the link of class `row-link` in it, so
 * that it works as a link does: by keyboard, in a new tab, and as visited.
 */
export function Table<Row>({ label, columns, rows, rowKey, error, empty, foot, isWide }: TableProps<Row>) {
  if (error !== null && error !== undefined) return <ProblemNote error={error} />;
  if (rows?.length === 0) {
    return (
      <div>
        <div className="table-wrap">{empty}</div>
        {foot}
      </div>
    );
  }
  return (
    <div>
      <div className="table-wrap" {...(isWide && { role: 'region', 'aria-label': label, tabIndex: 0 })}>
        <table className="table" aria-label={label} aria-busy={rows === undefined}>
          <thead>
            <tr>
              {columns.map(({ title, align }) => (
                <th key={title} scope="col" data-align={align}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows === undefined
              ? SKELETON_ROWS.map((key) => <SkeletonRow key={key} columns={columns} />)
              : rows.map((row) => <TableRow key={rowKey(row)} row={row} columns={columns} />)}
          </tbody>
        </table>
      </div>
      {foot}
    </div>
  );
}

function TableRow<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map(({ title, cell, align }) => {
        const content = cell(row);
        const isEmpty = content === null || content === undefined || content === false || content === '';
        return (
          <td key={title} data-align={align}>
            {!isEmpty && (
              <>
                <span className="cell-label" aria-hidden>
                  {title}
                </span>
                <span>{content}</span>
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
}

function SkeletonRow<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map(({ title, align }) => (
        <td key={title} data-align={align}>
          <Skeleton width={align === 'end' ? '5em' : '8em'} />
        </td>
      ))}
    </tr>
  );
}
