import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1rem;color:#1c2430}' +
  'h1{margin:0}li{margin:.4rem 0}a{color:#0b57d0}code{background:#eef1f5;padding:.1rem .3rem;border-radius:3px}' +
  '@media (prefers-color-scheme:dark){body{background:#12161c;color:#e4e8ee}a{color:#8ab4f8}code{background:#232a33}}';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay</title>
<style>${style}</style>
<h1>Assay</h1>
<p>The media compliance service is running.</p>
<ul>
<li><a href="/docs/">Documentation</a>: the quickstart, guides, and the reference of the API</li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/readyz">Status</a> of the parts that the service needs</li>
</ul>
<p>Requests to the API start with <code>/api/integrations</code> and need an API key.</p>
</html>
`;

/** What a browser shows at the address of the service. */
export function serveHome(api: FastifyInstance): void {
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  api.get('/', { config: { isConstant: true } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
  );
}
