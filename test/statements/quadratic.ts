/** A node of `explain (format json, verbose)`, as far as it is looked at. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: 'Outer' | 'Inner' | 'InitPlan' | 'SubPlan' | 'Member' | 'Subquery';
  readonly 'Subplan Name'?: string;
  readonly 'CTE Name'?: string;
  readonly Alias?: string;
  readonly Strategy?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Sums, sorts and joins: what reads all rows below it before it gives the first. */
const COMPUTES = new Set(['Aggregate', 'WindowAgg', 'Sort', 'Incremental Sort', 'Hash Join', 'Merge Join', 'Unique']);
/** What keeps its rows: they are computed once. */
const KEEPS = new Set(['Materialize', 'Memoize']);

/**
 * What a plan does anew for each row of something else although it is the same each time: its time grows with the square of the rows. The
 * planner takes such a plan wherever it expects one row of the other side.
 *
 * @returns words for each place: what is computed, or which rows are walked
 */
export function quadraticParts(root: PlanNode): readonly string[] {
  const ctes = new Map(
    nodesOf(root).flatMap((node) =>
      node['Subplan Name']?.startsWith('CTE ') ? [[node['Subplan Name'].slice('CTE '.length), node] as const] : [],
    ),
  );
  return nodesOf(root).flatMap((loop) => {
    const inner = side(loop, 'Inner');
    const outer = side(loop, 'Outer');
    if (loop['Node Type'] !== 'Nested Loop' || inner === undefined || outer === undefined || isOneRow(outer, ctes))
      return [];
    return [...sameEachTime(inner, ctes)];
  });
}

/** What is computed below a node without asking for anything of the rows beside it. */
function* sameEachTime(node: PlanNode, ctes: ReadonlyMap<string, PlanNode>): Generator<string> {
  if (KEEPS.has(node['Node Type'])) return;
  if (COMPUTES.has(node['Node Type']) && isAlone(node, ctes)) yield `computes ${node['Node Type']}`;
  else if (node['Node Type'] === 'CTE Scan') {
    if (isAlone(node, ctes) && !isOneRow(node, ctes)) yield `walks ${node['CTE Name']}`;
  } else for (const child of rowsBelow(node)) yield* sameEachTime(child, ctes);
}

/** Whether a node asks for nothing of the rows beside it: every name in it, and in the CTEs that it reads, is its own. */
function isAlone(node: PlanNode, ctes: ReadonlyMap<string, PlanNode>): boolean {
  const below = nodesOf(node);
  const read = below.flatMap((one) => nodesOf(ctes.get(one['CTE Name'] ?? '')));
  const own = new Set([...below, ...read].map(({ Alias }) => Alias));
  return [...below, ...read].every((one) => namesIn(one).every((name) => own.has(name)));
}

function namesIn(node: PlanNode): readonly string[] {
  const { Plans: _, Alias: __, ...said } = node;
  const texts = Object.values(said).flat();
  return texts.flatMap((text) => [...String(text).matchAll(/\b([a-z_]\w*)\.(?=["a-z])/g)].map(([, name = '']) => name));
}

/** Whether it gives at most one row, whatever the tables hold. */
function isOneRow(node: PlanNode, ctes: ReadonlyMap<string, PlanNode>): boolean {
  const below = rowsBelow(node);
  switch (node['Node Type']) {
    case 'Result':
      return true;
    case 'Aggregate':
      return node.Strategy === 'Plain';
    case 'CTE Scan': {
      const read = ctes.get(node['CTE Name'] ?? '');
      return read !== undefined && isOneRow(read, ctes);
    }
    case 'Nested Loop':
    case 'Subquery Scan':
    case 'Sort':
      return below.every((child) => isOneRow(child, ctes));
    default:
      return false;
  }
}

function rowsBelow({ Plans = [] }: PlanNode): readonly PlanNode[] {
  return Plans.filter((child) => !['InitPlan', 'SubPlan'].includes(child['Parent Relationship'] ?? ''));
}

function side({ Plans = [] }: PlanNode, which: 'Inner' | 'Outer'): PlanNode | undefined {
  return Plans.find((child) => child['Parent Relationship'] === which);
}

function nodesOf(node: PlanNode | undefined): readonly PlanNode[] {
  return node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Words for each table of which rows are read that no key names, beside those that come in the order of a key, up to a limit. */
export function scansWithoutKey(root: PlanNode): readonly string[] {
  return nodesOf(root).flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': table } = node;
    if (table === undefined) return [];
    if (!/^Index( Only)? Scan$/.test(type)) return [`${table} by ${type}`];
    const condition = node['Index Cond'] ?? '';
    if (condition === '') return [`${table} along ${node['Index Name']}`];
    return /^\((\w+\.)?payee_id = [^()]*\)$/.test(condition) ? [`${table} by payee alone`] : [];
  });
}

/**
 * Words for each table of which rows are read by an index, and thrown away by another id that is known beside it: while a part of the table
 * looks small, the planner takes an index that leads to many.
 */
export function idsLeftToFilters(root: PlanNode): readonly string[] {
  return nodesOf(root).flatMap(({ Alias, Filter = '', 'Index Name': index, 'Relation Name': table }) => {
    if (table === undefined) return [];
    const known = [...Filter.matchAll(/\((\w+)\.(?!payee_id)(\w+_id) = (\w+)\.\w+\)/g)];
    // A key finds one row.
    return known.some(([, of, , beside]) => of === Alias && beside !== Alias) && !index?.endsWith('_pkey')
      ? [`${table} along ${index}`]
      : [];
  });
}
