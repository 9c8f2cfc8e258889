import openapi from '@assay/contract/openapi.json' with { type: 'json' };
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

/** The document and a page to read it, without a key. The page loads nothing from elsewhere. */
export function serveDocs(api: FastifyInstance): void {
  const document = JSON.stringify(openapi);
  api.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document));
  api.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      theme: 'default',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      // The page is for readers of this API: no buttons that lead to its maker.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      metaData: { title: 'Assay API' },
    },
  });
}
