import { createRequire } from 'node:module';
import type { createApi } from '@assay/server/http/api.ts';
import pg from 'pg';

// The least that a service with a database can do per request: what the API is measured against.
// Fastify is the server's dependency and is taken from there, so that both run the very same copy.
const requireOfServer = createRequire(new URL('../apps/server/package.json', import.meta.url));
const fastify = requireOfServer('fastify') as () => ReturnType<typeof createApi>;

const { DATABASE_URL, DATABASE_CONNECTIONS_MAX, WORKSPACE_ID } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_CONNECTIONS_MAX) });

const server = fastify();
server.get(
  '/workspace',
  {
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            workspace_id: { type: 'string' },
            name: { type: 'string' },
            tier: { type: 'string' },
            created_at: { type: 'string', format: 'date-time' },
          },
        },
      },
    },
  },
  async () => {
    const text = 'select workspace_id, name, tier, created_at from workspaces where workspace_id = $1';
    const { rows } = await pool.query(text, [WORKSPACE_ID]);
    return rows[0];
  },
);

console.log(JSON.stringify({ url: await server.listen({ host: '127.0.0.1', port: 0 }) }));

process.once('SIGTERM', () => process.exit(0));
