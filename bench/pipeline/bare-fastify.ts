import pg from 'pg';
import { fastify } from '../measure/fastify-of-server.ts';

// The minimum that a service with a database can do per request: the baseline for the API's reads.
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

console.log(await server.listen({ host: '127.0.0.1', port: 0 }));

process.once('SIGTERM', () => process.exit(0));
