/** A migration file, reduced to what decides which locks it takes. */
type Migration = {
  name: string;
  /** Statements of one transaction each, in lower case, without comments and the contents of strings. */
  transactions: string[][];
  mistakes: string[];
};
type Objection = { file: string; statement: string; reason: string };

/** Lists what would block requests on a large table. Tables that the same file creates are empty, so all is allowed. */
export function findBlockingSql(files: { name: string; text: string }[]): Objection[] {
  const migrations = files.map(readMigration);
  const objections: Objection[] = [];
  const existing = new Set<string>();
  for (const [at, { name, transactions, mistakes }] of migrations.entries()) {
    const object = (statement: string, reason: string) => objections.push({ file: name, statement, reason });
    for (const mistake of mistakes) object('', mistake);
    for (const statements of transactions) {
      const changed = new Set<string>();
      for (const statement of statements) {
        const table = changedTable(statement);
        if (!table || !existing.has(table)) continue;
        changed.add(table);
        for (const reason of reasonsAgainst(statement, table, migrations.slice(at))) object(statement, reason);
        if (/ validate constraint /.test(statement) && statements.length > 1)
          object(statement, 'validate a constraint in a transaction of its own');
      }
      const slow = statements.find((statement) => /^(select|insert|update|delete|with|do)\b/.test(statement));
      if (changed.size > 0 && slow) object(slow, 'change an existing table in a transaction of its own');
      // It would keep the first table locked while it waits for the second.
      if (changed.size > 1) object([...changed].join(', '), 'change one existing table per transaction');
    }
    for (const statement of transactions.flat()) {
      const [, created] = /^create table (?:if not exists )?(\w+)/.exec(statement) ?? [];
      if (created) existing.add(created);
    }
  }
  return objections;
}

function readMigration({ name, text }: { name: string; text: string }): Migration {
  const [up = ''] = text.split('-- migrate:down');
  const statements = up
    .replaceAll(/--.*/g, '') // also the mark of the section
    .replaceAll(/(\$\w*\$).*?\1/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);
  if (!up.startsWith('-- migrate:up transaction:false')) return { name, transactions: [statements], mistakes: [] };
  const transactions: string[][] = [];
  let open: string[] | undefined;
  let isOutside = false;
  for (const statement of statements) {
    if (statement === 'begin') {
      open = [];
      transactions.push(open);
    } else if (statement === 'commit') open = undefined;
    else if (open) open.push(statement);
    else {
      transactions.push([statement]);
      isOutside = true;
    }
  }
  // dbmate sends the file as one query, and PostgreSQL runs its statements in one transaction.
  const mistakes = isOutside && statements.length > 1 ? ['put each statement between begin and commit'] : [];
  return { name, transactions, mistakes };
}

/** The table that a statement locks against writes or reads. */
function changedTable(statement: string): string | undefined {
  const [, table] =
    /^(?:alter table (?:if exists )?(?:only )?|lock (?:table )?(?:only )?|create (?:unique )?index .*?\bon (?:only )?|create (?:or replace )?trigger .*? on )(\w+)/.exec(
      statement,
    ) ?? [];
  return table;
}

/** `next` are this migration and those after it. */
function reasonsAgainst(statement: string, table: string, next: Migration[]): string[] {
  if (/^create (unique )?index/.test(statement))
    return ['put the index into indexes.sql, which builds it concurrently'];
  if (statement.startsWith('lock ')) return ['do not lock a table'];
  const [, actions] = /^alter table (?:if exists )?(?:only )?\w+ (.*)$/.exec(statement) ?? [];
  return splitActions(actions ?? '').flatMap((action) => {
    const reasons = rules.filter(({ refuses }) => refuses.test(action)).map(({ reason }) => reason);
    const [, constraint] = /^add constraint (\w+) .* not valid$/.exec(action) ?? [];
    const validation = `alter table ${table} validate constraint ${constraint}`;
    if (constraint && !next.some(({ transactions }) => transactions.flat().includes(validation)))
      reasons.push('validate the constraint afterwards');
    return reasons;
  });
}

const rules = [
  { refuses: /^add (?!column|constraint|check|foreign|unique|primary|exclude)/, reason: 'write `add column`' },
  {
    refuses: /^add column .*\b(check|references|unique|primary key|generated|\w*serial)\b/,
    reason: 'add the column without it, then a constraint that is `not valid`',
  },
  { refuses: /^add column (?!.* default ).* not null/, reason: 'a column that is not null needs a default' },
  {
    refuses: /^add column .* default (?!now\()\w+\(/,
    reason: 'a default that differs between rows rewrites the table',
  },
  {
    refuses: /^add (constraint \w+ )?(check|foreign key)\b(?!.* not valid$)/,
    reason: 'add the constraint `not valid`',
  },
  { refuses: /^add (check|foreign key)\b/, reason: 'name the constraint, so that it can be validated' },
  {
    refuses: /^add (constraint \w+ )?(unique|primary key|exclude)\b(?! using index)/,
    reason: 'build the index first, then add the constraint `using index`',
  },
  { refuses: /^alter (column )?\w+ set not null/, reason: 'add a check that is `not valid`' },
  { refuses: /^alter (column )?\w+ (set data )?type\b/, reason: 'changing a type rewrites the table; add a column' },
];

/** The actions of `alter table`: separated by commas outside of parentheses. */
function splitActions(actions: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const character of actions) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
