import { parseSync } from 'rolldown/utils';

type Node = { type: string; start: number; end: number; [more: string]: unknown };

/** A statement in a store that reads, changes or removes rows of these tables. */
export type Statement = { place: string; tables: string[]; namesWorkspace: boolean };

const builders = /\.(?:selectFrom|updateTable|deleteFrom|innerJoin|leftJoin)\('(\w+)(?: as \w+)?'/g;
const clauses = /\b(?:from|join|update|using)\s+(?:only\s+)?(\w+)/g;
/** In a query builder, or in SQL as a condition with a parameter. */
const filters = [
  /\.where\('(?:\w+\.)?workspace_id', '='/,
  /\bworkspace_id\s*=\s*\$\{/,
  /\.and\(\{[^}]*\bworkspace_id: workspaceId\b/,
];
const hasFilter = (source: string) => filters.some((filter) => filter.test(source));

/**
 * Finds the statements of a file on some of these tables. Each is named by the function that contains it. A statement
 * that is made of several templates counts as one.
 */
export function findStatements(file: string, text: string, tables: string[]): Statement[] {
  const { program } = parseSync(file, text);
  const statements: Statement[] = [];
  // Parts of statements that name the workspace, such as `ofAttempt` in `where ${ofAttempt(workspaceId, asset)}`.
  const parts: string[] = [];
  visit(program as unknown as Node, '', (node) => {
    const name = nameOf(node);
    if (name && hasFilter(text.slice(node.start, node.end))) parts.push(name);
    return false;
  });
  const usesPart = (source: string) => parts.some((part) => new RegExp(`(\\$\\{|\\.where\\()${part}\\b`).test(source));
  visit(program as unknown as Node, '', (node, name) => {
    if (!isStatement(node)) return false;
    const source = text.slice(node.start, node.end).replaceAll(/--.*$/gm, '');
    const named = [...source.matchAll(builders), ...source.matchAll(clauses)].map(([, table]) => table ?? '');
    const used = [...new Set(named.filter((table) => tables.includes(table)))].sort();
    if (used.length > 0)
      statements.push({
        place: name,
        tables: used,
        namesWorkspace: hasFilter(source) || usesPart(source),
      });
    return true; // what is inside belongs to it
  });
  return statements;
}

/** A template with the tag `sql`, or the outermost call of a chain that begins with a query builder. */
function isStatement(node: Node): boolean {
  if (node.type === 'TaggedTemplateExpression') return startOf(node.tag as Node) === 'sql';
  return (
    node.type === 'CallExpression' && chainOf(node).some((name) => /^(selectFrom|updateTable|deleteFrom)$/.test(name))
  );
}

/** `sql` of `sql`, `sql<Row>` and `sql.raw`. */
function startOf(node: Node): string {
  if (node.type === 'Identifier') return node.name as string;
  const inner = (node.object ?? node.expression ?? node.callee ?? node.tag) as Node | undefined;
  return inner ? startOf(inner) : '';
}

/** The methods that are called one on the result of the other. */
function chainOf(node: Node): string[] {
  if (node.type === 'CallExpression') return chainOf(node.callee as Node);
  if (node.type !== 'MemberExpression') return [];
  return [...chainOf(node.object as Node), (node.property as Node).name as string];
}

/** Visits the nodes below `node` with the name of the function that contains them, until `stop` returns true. */
function visit(node: Node, name: string, stop: (node: Node, name: string) => boolean): void {
  if (stop(node, name)) return;
  const inner = nameOf(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && 'type' in child) visit(child as Node, name || inner, stop);
  }
}

/** The name of a function or variable that this node declares. */
function nameOf(node: Node): string {
  if (node.type !== 'VariableDeclarator' && node.type !== 'FunctionDeclaration') return '';
  const { type, name } = node.id as Node;
  return type === 'Identifier' ? (name as string) : '';
}
