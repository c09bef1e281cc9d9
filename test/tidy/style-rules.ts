import type { SourceFile } from './files.ts';
import { placeOf } from './places.ts';
import { type Literal, lineAt, readSource } from './source.ts';

const FILE_LINES = 400;

/** Generated files, and those that only grow: they are not read from top to bottom. */
const MAY_BE_LONG = /^(openapi\/|migrations\/|locales\/|package-lock\.json$|CHANGELOG\.md$|LICENSE$)|\.generated\.ts$/;

/** Files over the limit. One that is too long holds more than one thing. */
export function longFiles(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => !MAY_BE_LONG.test(path) && lineCount(text) > FILE_LINES)
    .map(
      ({ path, text }) =>
        `${path} has ${lineCount(text)} lines, more than ${FILE_LINES}. Split it by what it is about.`,
    );
}

/** The lines of a text. */
export function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

/** A word that code may not use in certain files, and why. What Biome has a rule for is in `biome.json`. */
interface Ban {
  readonly pattern: RegExp;
  readonly where: (path: string) => boolean;
  readonly message: string;
}

/** Where intervals are made, of which none does anything that can fail but the first, which takes what fails. */
const TIMERS = [
  'src/kit/work/background.ts',
  'src/http/listening/overdue.ts',
  'src/wiring/log.ts',
  'src/wiring/endings.ts',
];

/** A file of a slice without a suffix, that neither composes nor serves it. */
function isVerb(path: string): boolean {
  const place = placeOf(path);
  const isKit = ['kit', 'db', 'http', 'wiring', 'sandbox', 'main'].includes(place?.folder ?? 'main');
  return place?.layer === 'verb' && !isKit;
}

const BANS: readonly Ban[] = [
  {
    pattern: /\bprocess\s*\.\s*(exit|abort|reallyExit)\b/g,
    where: (path) => path !== 'src/main.ts',
    message: 'only main.ts exits: throw, or return, so that what is open gets closed',
  },
  {
    pattern: /\bsetInterval\b/g,
    where: (path) => path.startsWith('src/') && !TIMERS.includes(path),
    message: 'kit/background.ts runs what comes again and again, so that an error there costs one turn: use `repeat`',
  },
  {
    pattern: /\b(?:transact|longWork)\b/g,
    where: isVerb,
    message:
      'a verb is given a transaction and opens none, though its context has the database: make it a *.flow.ts, or let its caller open one',
  },
  {
    pattern: /\bMath\s*\.\s*random\b/g,
    where: (path) => !path.startsWith('src/db/') && !path.endsWith('.job.ts'),
    message: 'Math.random can be guessed and is for the jitter of retries only: use kit/ids.ts or kit/secret.ts',
  },
  {
    pattern: /\bnew\s+(?:\w+\s*\.\s*)*Function\b|(?<!\.)\beval\s*\(|\bvm\s*\.\s*\w|\bFunction\s*\(/g,
    where: (path) => path.startsWith('src/'),
    message:
      'the service runs where no code may be made from texts: write a loop or a closure, or make the code in the build',
  },
  {
    pattern: /\bURL\s*\.\s*canParse\b/g,
    where: (path) => path.startsWith('src/'),
    message: 'Node 20 refuses some good addresses once it is compiled: use `parseAddress` of kit/addresses/address.ts',
  },
  {
    pattern:
      /\b(Date|performance|async|await|Promise|setTimeout|setInterval|setImmediate|queueMicrotask|crypto|process|globalThis|fetch|console)\b/g,
    where: (path) => path.endsWith('.rules.ts'),
    message: 'a rule answers at once and is given its context: pass the value in, so that a test can choose it',
  },
];

/** A system has a user of the name `nobody`: in quotes, or behind the word "user". */
const VAGUE = /(?<!['`]|\buser )\bnobody\b|\bNobody\b|\b(?:[Ss]ome|[Aa]ny|[Ee]very)body\b|\b[Ww]hoever\b/g;

/** Words for people that say not who, in comments as in texts. */
export function vagueWords({ path, text }: SourceFile): string[] {
  return [...text.matchAll(VAGUE)].map(
    ({ 0: word, index }) =>
      `${path}:${lineAt(text, index)} ${word}: say who. The caller, the payer, the user, the operator, a reader, the process; no request, no other process.`,
  );
}

/** `now()` of PostgreSQL in what a test writes or asks, and the day of a connection. */
const OTHER_CLOCK = /(?<![\w.])now\(\)(?! *=>)|\bcurrent_date\b/g;

/**
 * Times that a test takes from another clock than the service does. `kontor_now()` is cut to the millisecond, so a row that is
 * due at `now()` is due only when that millisecond is over, and a test of it fails now and then.
 */
export function otherClocks({ path, text }: SourceFile): string[] {
  return [...text.matchAll(OTHER_CLOCK)].map(
    ({ 0: word, index }) => `${path}:${lineAt(text, index)} ${word}: a test takes its times from kontor_now().`,
  );
}

/** The day of an instant in UTC, where no zone is named. */
const DAY_OF_UTC = /\bnew Date\(\)\s*\.toISOString\(\)\s*\.slice\(0, 10\)|\bkontor_now\(\)::date\b|\bcurrent_date\b/g;

/** Days that are taken from a clock without the zone that they are meant in: around midnight they are those before or after. */
export function daysOfUtc({ path, text }: SourceFile): string[] {
  return [...text.matchAll(DAY_OF_UTC)].map(
    ({ 0: word, index }) =>
      `${path}:${lineAt(text, index)} ${word}: whose day is it? (kontor_now() at time zone …)::date, as of the payee or the acquirer.`,
  );
}

/** Those that a test of their own looks at: how often their tables are read as a whole. */
const READ_IN_PLAY = ['selectWaiting'];

/**
 * Statements by which background work takes its rows, and whose plans no test looks at (`test/support/database/explain.ts`): a table is
 * small where tests run, and a job that reads all of it each second is noticed first where there is much history.
 */
export function unexplained(sources: readonly SourceFile[], tests: readonly SourceFile[]): string[] {
  const looking = tests.filter(({ text }) => text.includes('support/database/explain.ts'));
  return sources
    .filter(({ path }) => path.endsWith('.store.ts'))
    .flatMap(({ path, text }) =>
      text.split(/\n(?=export )/).flatMap((part) => {
        const name = /^export (?:async )?(?:function|const) (\w+)/.exec(part)?.[1];
        if (name === undefined || !part.includes('${isFreeFor(') || READ_IN_PLAY.includes(name)) return [];
        return looking.some(({ text: test }) => new RegExp(`\\b${name}\\b`).test(test))
          ? []
          : [
              `${path} ${name}: background work takes rows by it. Let a test explain it: test/support/database/explain.ts.`,
            ];
      }),
    );
}

/**
 * Limits in the files for shared ones that one file uses alone. Those under one comment belong together, and count as one.
 */
export function lonelyLimits(files: readonly SourceFile[]): string[] {
  const shared = files.filter(({ path }) => /^src\/kit\/(.*[/-])?limits\.ts$/.test(path));
  return shared.flatMap(({ path, text }) =>
    text.split(/\n(?=\n|\/\*\*)/).flatMap((group) => {
      const names = [...group.matchAll(/^export const ([A-Z0-9_]+)\b/gm)].map(([, name = '']) => name);
      if (names.length === 0) return [];
      const used = new RegExp(`\\b(${names.join('|')})\\b`);
      const users = files.filter((file) => used.test(file.path === path ? text.replace(group, '') : file.text));
      const [only] = users;
      return users.length === 1 && only !== undefined && only.path !== path
        ? [`${path} ${names.join(', ')}: only ${only.path} uses it. Put it there, with its unit and its reason.`]
        : [];
    }),
  );
}

/** Words in code that the file may not use. */
export function bannedWords(file: SourceFile): string[] {
  const { code } = readSource(file);
  return BANS.filter(({ where }) => where(file.path)).flatMap(({ pattern, message }) =>
    [...code.matchAll(pattern)].map(({ 0: word, index }) => `${file.path}:${lineAt(code, index)} ${word}: ${message}.`),
  );
}

const STATEMENT =
  /^\s*(select\s+[\w"*(:$]|insert\s+into\s|update\s+[\w.]+(\s+(as\s+)?\w+)?\s+set\s|delete\s+from\s|truncate\s+\w|with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s+(not\s+|materialized\s+)*\(|(create|alter|drop)\s+(table|index|unique|function|trigger|role|database|type|view)\s|lock\s+table\s|listen\s+\w+\s*;?\s*$|notify\s+\w+)/;
const IN_CAPITALS = /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP)\s/;
const WORD_IN_CAPITALS = /\b(SELECT|FROM|WHERE|SET|VALUES|LEFT|JOIN|ORDER BY|ON CONFLICT|RETURNING)\b/;
const TRANSACTION =
  /^\s*(begin|commit|rollback|abort(?=\s*;|\s+\w)|start\s+transaction|(rollback\s+to\s+)?savepoint\s+\w+)(\s+(work|transaction|and\s+\w+|isolation\s[\w\s]+|read\s+\w+))*\s*;?\s*$/i;

/** Statements outside the stores and `db/`, statements that steer a transaction outside `db/`, and shouting ones. */
export function misplacedSql(file: SourceFile): string[] {
  const inDb = file.path.startsWith('src/db/') || file.path.startsWith('sandbox/postgres/');
  const { strings } = readSource(file);
  const at = (literal: Literal) => `${file.path}:${lineAt(file.text, literal.at)}`;
  return strings.flatMap((literal) => {
    if (!inDb && TRANSACTION.test(literal.text)) {
      return [
        `${at(literal)} only db/ begins and ends transactions, so that no path forgets to. Use the Transact that you are given.`,
      ];
    }
    const isStatement = STATEMENT.test(literal.text);
    if (IN_CAPITALS.test(literal.text) || (isStatement && WORD_IN_CAPITALS.test(literal.text))) {
      return [`${at(literal)} SQL is written in lower case.`];
    }
    if (!isStatement) return [];
    if (inDb || file.path.endsWith('.store.ts')) return [];
    return [
      `${at(literal)} statements live in *.store.ts, where one can read all that touches a table. Move it there.`,
    ];
  });
}

// `for update`, `for no key update` and `do update` write no table that they name.
const WRITE = /(?<!\b(?:for|key|do)\s+)\b(?:insert\s+into|delete\s+from|truncate|update)\s+(?:only\s+)?([a-z_]+)/g;

/**
 * Tables that the sources of more than one folder write. A table has one owner, whose store holds what must be true of
 * its rows; others call the owner's verb.
 */
export function sharedTables(files: readonly SourceFile[]): string[] {
  const owners = new Map<string, Set<string>>();
  for (const file of files) {
    const statements = readSource(file).strings.filter((literal) => STATEMENT.test(literal.text));
    for (const [, table = ''] of statements.flatMap((literal) => [...literal.text.matchAll(WRITE)])) {
      owners.set(table, (owners.get(table) ?? new Set()).add(file.path.split('/').slice(0, 2).join('/')));
    }
  }
  return [...owners]
    .filter(([, folders]) => folders.size > 1)
    .map(
      ([table, folders]) =>
        `${table} is written by ${[...folders].join(' and ')}. Let one own it, and the others call its verb.`,
    );
}

/** Whether a statement of a store calls itself a read, which routes, commands and jobs may use without a verb. */
export function isNameOfRead(name: string): boolean {
  return /^(?:(?:select|count|find|read)[A-Z]|(?:SELECT|COUNT|FIND|READ)_)/.test(name);
}

const LOCK = /\bfor\s+(?:no\s+key\s+)?(?:update|share)\b|\bpg_(?:try_)?advisory|\bset_config\b|\bnextval\b/;

/** Statements that call themselves reads, and change or lock something: by themselves, or by what of the file they use. */
export function falseReads(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.endsWith('.store.ts'))
    .flatMap(({ path, text }) => {
      const parts = text.split(/^(?=(?:export\s+)?(?:async\s+)?(?:function|const)\s)/m);
      const named = new Map(parts.map((part) => [/(?:function|const)\s+(\w+)/.exec(part)?.[1] ?? '', part]));
      const read = (part: string) => readSource({ path, text: part });
      const does = (part: string) =>
        read(part).strings.some((literal) => [...literal.text.matchAll(WRITE)].length > 0 || LOCK.test(literal.text));
      return [...named].flatMap(([name, part]) => {
        if (!isNameOfRead(name)) return [];
        const { code } = read(part);
        const used = [...named].filter(([other]) => other !== '' && new RegExp(`\\b${other}\\b`).test(code));
        return used.some(([, text]) => does(text))
          ? [`${path} ${name} is called a read, and changes or locks. Name it so.`]
          : [];
      });
    });
}

/** Names that two statements have. A name is how a connection knows a prepared statement, so it stands for one text. */
export function repeatedStatements(files: readonly SourceFile[]): string[] {
  const places = new Map<string, string[]>();
  for (const file of files) {
    const { code, strings } = readSource(file);
    for (const match of code.matchAll(/\bname:\s*['"`]\s*['"`],\s*text:/g)) {
      const name = strings.find((literal) => literal.at > match.index)?.text ?? '';
      places.set(name, [...(places.get(name) ?? []), `${file.path}:${lineAt(code, match.index)}`]);
    }
  }
  return [...places]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => `${where.join(' and ')} name a statement ${name}. Give each a name of its own.`);
}

/** Exported functions, classes and constants that say nothing about themselves. Lines that follow each other share one comment. */
export function undocumented(file: SourceFile): string[] {
  // A schema describes itself: its words are in the OpenAPI document.
  if (file.path.endsWith('.wire.ts')) return [];
  const lines = file.text.split('\n');
  const { code } = readSource(file);
  const codeLines = code.split('\n');
  const documented = new Set<number>();
  return lines.flatMap((line, index) => {
    const name = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let) ([\w$]+)/.exec(
      codeLines[index] ?? '',
    )?.[1];
    if (name === undefined) return [];
    const before =
      lines
        .slice(0, index)
        .findLast((other) => !other.startsWith('// biome-ignore'))
        ?.trim() ?? '';
    if (before.endsWith('*/') || documented.has(index - 1)) {
      documented.add(index);
      return [];
    }
    return [
      `${file.path}:${index + 1} ${name} has no docstring: say what it gives, in which unit, and when it fails. (${line.slice(0, 60)})`,
    ];
  });
}

/** Migrations that do not begin by saying what they are for. */
export function silentMigrations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ text }) => !/^(-- no transaction\n)?-- (?!no transaction)\S/.test(text))
    .map(({ path }) => `${path}: its first lines are a comment, "-- …", that says what changes and why.`);
}
