import { existsSync } from 'node:fs';
import openapi from '@assay/contract/openapi.json' with { type: 'json' };
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Log } from '../handles/log.ts';

/** The document and the documentation of this very version, without a key. Its pages load nothing from elsewhere. */
export function serveDocs(api: FastifyInstance, folder: string, log: Log): void {
  const document = JSON.stringify(openapi);
  api.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document));

  if (!existsSync(folder)) {
    log.warn({ folder }, 'the documentation is not built, so /docs is empty: pnpm docs:build');
    return;
  }
  api.register(
    async (docs) => {
      // Pages are linked without `.html`.
      docs.register(files, { root: folder, extensions: ['html'] });
      // With a slash and without it is one route, but links of the page are relative to the folder.
      docs.get('/', async ({ url }, reply) =>
        url.startsWith('/docs/') ? reply.sendFile('index.html') : reply.redirect('/docs/'),
      );
      const sayNothingHere = (reply: FastifyReply) => reply.code(404).sendFile('404.html');
      docs.setNotFoundHandler((_request, reply) => sayNothingHere(reply));
      // A path that leads out of the folder is refused by an error.
      docs.setErrorHandler((_error, _request, reply) => sayNothingHere(reply));
    },
    { prefix: '/docs' },
  );
}
