import { existsSync } from 'node:fs';
import openapi from '@assay/contract/openapi.json' with { type: 'json' };
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Log } from '#platform/log.ts';

/** Serves the OpenAPI document and the documentation of this version, without a key. The pages use no other hosts. */
export function serveDocs(api: FastifyInstance, folder: string, log: Log): void {
  const document = JSON.stringify(openapi);
  api.get('/openapi.json', { config: { isConstant: true } }, async (_request, reply) =>
    reply.type('application/json').send(document),
  );

  if (!existsSync(folder)) {
    log.warn({ folder }, 'the documentation is not built, so /docs is empty; build it with: pnpm docs:build');
    return;
  }
  api.register(
    async (docs) => {
      // Links to pages have no `.html`.
      docs.register(files, { root: folder, extensions: ['html'] });
      // This route matches with and without a trailing slash, but the relative links of the page need the slash.
      docs.get('/', async ({ url }, reply) =>
        url.startsWith('/docs/') ? reply.sendFile('index.html') : reply.redirect('/docs/'),
      );
      const sendNotFound = (reply: FastifyReply) => reply.code(404).sendFile('404.html');
      docs.setNotFoundHandler((_request, reply) => sendNotFound(reply));
      // A request for a path outside the folder causes an error, which is answered with 404 too.
      docs.setErrorHandler((_error, _request, reply) => sendNotFound(reply));
    },
    { prefix: '/docs' },
  );
}
