import { createRequire } from 'node:module';
import type { createApi } from '@assay/server/http/api.ts';

// Fastify is a dependency of apps/server and is resolved from there, so that the bare servers run the same copy.
const requireOfServer = createRequire(new URL('../../apps/server/package.json', import.meta.url));

export const fastify = requireOfServer('fastify') as () => ReturnType<typeof createApi>;
