import type { Calls, Statement } from '@assay/testing/service/record-calls.ts';
import { expect } from 'vitest';

/** How often a piece of work calls each dependency. */
export type Cost = {
  /** Statements, including `begin` and `commit`. */
  sql: number;
  /** Rows that the database returned. */
  rows: number;
  redis: number;
  storage: number;
  engine: number;
};

// Key lookups are not counted: a key is looked up again every few seconds, by whichever request comes next.
const isKeyLookup = ({ text }: Statement) => /"api_keys"/.test(text);

/** Compares the calls with the expected cost. A failure names each changed number and lists all calls. */
export function expectCost(what: string, { sql, redis, storage, engine }: Calls, expected: Cost): void {
  const statements = sql.filter((one) => !isKeyLookup(one));
  const actual: Cost = {
    sql: statements.length,
    rows: statements.reduce((sum, { rowCount }) => sum + rowCount, 0),
    redis: redis.length,
    storage: storage.length,
    engine: engine.length,
  };
  const list = [
    ...statements.map(({ text, rowCount }) => `sql (${rowCount} rows): ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`),
    ...redis.map((command) => `redis: ${command}`),
    ...storage.map(({ method, sentBytes, receivedBytes }) => `storage: ${method} ${sentBytes}/${receivedBytes} bytes`),
    ...engine.map((method) => `engine: ${method}`),
  ];
  expectNumbers(what, actual, expected, list);
}

/** Compares any numbers with the expected ones. A failure shows a missing number as 0. */
export function expectNumbers(
  what: string,
  actual: Record<string, number>,
  expected: Record<string, number>,
  list: string[] = [],
): void {
  const changes = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    .filter((name) => actual[name] !== expected[name])
    .map((name) => `${name} from ${expected[name] ?? 0} to ${actual[name] ?? 0}`);
  const text = [`${what}: ${changes.join(', ')}`, ...list.map((line) => `  ${line}`)].join('\n');
  expect(actual, text).toEqual(expected);
}
