import openapi from '@assay/contract/openapi.json' with { type: 'json' };
import Fastify, { type FastifyInstance } from 'fastify';

/** The document and a page to read it, without a key. The page loads nothing from elsewhere. */
export function serveDocs(api: FastifyInstance): void {
  const document = JSON.stringify(openapi);
  api.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document));

  // Tens of megabytes, for a page that most processes never show: loaded when somebody opens it.
  let page: Promise<FastifyInstance> | undefined;
  for (const url of ['/docs', '/docs/*']) {
    api.get(url, async (request, reply) => {
      page ??= openPage();
      const { statusCode, headers, rawPayload } = await (await page).inject({ url: request.url });
      return reply.code(statusCode).headers(headers).send(rawPayload);
    });
  }
}

async function openPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const page = Fastify();
  page.register(scalar, {
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
  await page.ready();
  return page;
}
