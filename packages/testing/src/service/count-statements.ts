import pg from 'pg';

/** Counts the matching statements that this process sends to the database, until `stop` is called. */
export function countStatements(pattern: RegExp): { stop(): number } {
  const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  let count = 0;
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }];
    if (pattern.test(typeof statement === 'string' ? statement : statement.text)) count++;
    return send.apply(this, args);
  } as typeof pg.Client.prototype.query;
  return {
    stop: () => {
      pg.Client.prototype.query = send as typeof pg.Client.prototype.query;
      return count;
    },
  };
}
