import { z } from 'zod';
import { PlanRefusal, Problem, RateLimitRefusal } from './answers.ts';
import { withFieldExamples } from './field-examples.ts';
import { assetBytesMax } from './limits.ts';
import { mediaTypes } from './media-types.ts';
import { pathParameter, requestHeaders, responseHeaders, signatureHeaders } from './parameters.ts';
import { problemTypeOf, type RefusalCode, refusals } from './refusals.ts';
import { roleNote, scopeMeanings, scopes } from './rights.ts';
import { isOneFile, paramsOf, prefixes, type Route, refusalsOf, type StreamSuccess } from './route.ts';
import { routes } from './routes.ts';
import { eventDescriptions, eventSchemas, eventTypes } from './schemas/event.ts';
import { exampleSubmissionUpdate } from './schemas/examples.ts';

type Json = Record<string, unknown>;

const problemBase = {
  instance: '/api/integrations/uploads/url',
  requestId: '0190a5c4-88a1-7d31-9d0b-6f5c1c6a2b7e',
};

/** The OpenAPI 3.1 document, generated from the route table. */
export function makeOpenApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return withFieldExamples({
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: '1.0.0',
      summary: 'Media compliance checks: upload media, submit it, read the issues.',
      description: introduction(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: prefixes.map((url) => ({ url })),
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'An API key of the workspace. `sk_live_…` keys run real analyses, `sk_test_…` keys use the sandbox.',
        },
      },
      schemas: componentSchemas(),
    },
  });
}

function operation(name: string, route: Route): Json {
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}\n\n${describeRights(route)} Rate-limit bucket: \`${route.bucket}\`.`,
    ...parameters(route),
    ...(route.body && { requestBody: requestBody(route.body, route) }),
    responses: { [route.success.status]: successResponse(route), ...emptyResponses(route), ...refusalResponses(route) },
  };
}

function describeRights({ scope, role }: Route): string {
  return `${scope ? `Scope of the key: \`${scope}\`.` : 'Any key may call it.'} Role of a person: \`${role}\`.`;
}

function parameters(route: Route): Json {
  const inPath = paramsOf(route).map(({ inPath: name }) => pathParameter(name));
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, member]) => {
    const { $schema, description, ...schema } = z.toJSONSchema(member as z.ZodType, { io: 'output' });
    const required = !(member as z.ZodType).safeParse(undefined).success;
    return { name, in: 'query', required, ...(description && { description }), schema };
  });
  const inHead = [
    ...(route.isIdempotent ? [requestHeaders.idempotencyKey] : []),
    ...(route.hasEtag ? [requestHeaders.ifNoneMatch] : []),
    ...('messages' in route.success ? [requestHeaders.lastEventId] : []),
  ];
  const all = [...inPath, ...inQuery, ...inHead];
  return all.length > 0 ? { parameters: all } : {};
}

function requestBody(body: NonNullable<Route['body']>, { examples, isBodyOptional }: Route): Json {
  if (isOneFile(body)) {
    const file = { type: 'string', format: 'binary', description: 'The file, with its file name.' };
    const schema = { type: 'object', properties: { file }, required: ['file'], additionalProperties: false };
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  const content = { schema: reference(body), example: examples.request };
  return { required: !isBodyOptional, content: { 'application/json': content } };
}

function successResponse(route: Route): Json {
  const links = Object.entries(route.links ?? {}).map(([target, { body, parameters }]) => [
    target,
    { operationId: target, ...(body && { description: describeBody(body) }), ...(parameters && { parameters }) },
  ]);
  return {
    description: route.success.description,
    headers: {
      'X-Request-Id': responseHeaders.requestId,
      ...(route.isIdempotent && { 'Idempotency-Replayed': responseHeaders.replayed }),
      ...(route.location && { Location: responseHeaders.location(exampleLocation(route)) }),
      ...(route.hasEtag && { ETag: responseHeaders.etag }),
    },
    ...('body' in route.success && {
      content: { 'application/json': { schema: reference(route.success.body), example: route.examples.response } },
    }),
    ...('file' in route.success && {
      content: { [route.success.file]: { schema: { type: 'string', contentMediaType: route.success.file } } },
    }),
    ...('messages' in route.success && { content: { 'text/event-stream': { schema: streamSchema(route.success) } } }),
    ...(links.length > 0 && { links: Object.fromEntries(links) }),
  };
}

// The body of a link is described in words instead of in `requestBody`: OpenAPI takes an object there as a literal,
// without evaluating expressions in it, and OpenAPI Generator accepts only a string.
function describeBody(body: Json): string {
  return `Request body: \`${JSON.stringify(body)}\`, with the value from this response.`;
}

function exampleLocation({ location = '/', examples }: Route): string {
  const response = examples.response as Record<string, string>;
  return `${prefixes[0]}${location.replaceAll(/\{(\w+)\}/g, (_, name: string) => response[name] ?? '')}`;
}

// The schema of one message, because tools read a stream message by message. The data of a message is text.
function streamSchema({ messages }: StreamSuccess): Json {
  const id = {
    type: 'string',
    description: 'Position in the stream. Send it as `Last-Event-ID` to resume after this message.',
    examples: ['7.3'],
  };
  const event = { type: 'string', enum: Object.keys(messages), description: 'Name of the message.' };
  const data = {
    type: 'string',
    contentMediaType: 'application/json',
    description:
      'JSON text: a `Submission` for `snapshot`, an `AssetUpdate` for `asset.updated`, a `SubmissionUpdate` for `submission.updated`, otherwise the event.',
    examples: [JSON.stringify(exampleSubmissionUpdate)],
  };
  return { type: 'object', properties: { id, event, data }, required: ['id', 'event', 'data'] };
}

function emptyResponses({ success, hasEtag }: Route): Json {
  return {
    ...('orNothing' in success && { 204: { description: success.orNothing } }),
    ...(hasEtag && {
      304: { description: 'Unchanged since the ETag in `If-None-Match`.', headers: { ETag: responseHeaders.etag } },
    }),
  };
}

/** §6: what subscriptions receive, signed according to Standard Webhooks 1.0.0. */
function webhooks(): Json {
  const parameters = Object.entries(signatureHeaders).map(([name, described]) => {
    return { name, in: 'header', required: true, ...described };
  });
  const entries = eventTypes.map((type) => {
    const post = {
      operationId: camelCase(type),
      summary: eventDescriptions[type],
      parameters,
      requestBody: { required: true, content: { 'application/json': { schema: reference(eventSchemas[type]) } } },
      responses: {
        '2XX': { description: 'Delivered. Any other status is retried.' },
        410: { description: 'The receiver is gone: the subscription is deactivated.' },
      },
    };
    return [type, { post }];
  });
  return Object.fromEntries(entries);
}

/** `asset.processing.completed` → `assetProcessingCompleted` */
function camelCase(eventType: string): string {
  return eventType.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function refusalResponses(route: Route): Json {
  const byStatus = Map.groupBy(refusalsOf(route), (code) => refusals[code].status);
  const responses = Object.fromEntries([...byStatus].map(([status, codes]) => [status, problemResponse(codes)]));
  return {
    ...responses,
    402: {
      description: 'The plan of the workspace does not include the API. Retrying does not help.',
      content: { 'application/json': { schema: reference(PlanRefusal) } },
    },
    429: {
      description: 'Rate limit of this bucket exceeded.',
      headers: { 'Retry-After': responseHeaders.retryAfter },
      content: { 'application/json': { schema: reference(RateLimitRefusal) } },
    },
  };
}

function problemResponse(codes: RefusalCode[]): Json {
  const examples = codes.map((code) => {
    const { status, title, detail } = refusals[code];
    return [code, { value: { type: problemTypeOf(code), title, status, detail, code, ...problemBase } }];
  });
  const code = { description: Problem.shape.code.description, enum: codes };
  const schema = { allOf: [reference(Problem)], properties: { code } };
  return {
    description: codes.map((code) => `\`${code}\`: ${refusals[code].title}.`).join(' '),
    content: { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } },
  };
}

function reference(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (!id) throw new Error('a schema of the route table has no id');
  return { $ref: `#/components/schemas/${id}` };
}

function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override: addExamples,
  });
  const plain = Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]);
  return Object.fromEntries(plain.sort(([a], [b]) => String(a).localeCompare(String(b))));
}

// Zod omits the examples of a transformed value, because they could be examples of the result. These are of the input.
function addExamples({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  const examples = z.globalRegistry.get(zodSchema)?.examples;
  if (examples) jsonSchema.examples = examples;
}

function introduction(): string {
  const tables = Object.entries(assetBytesMax).flatMap(([category, bytesMax]) => [
    `### ${category}, up to ${bytesMax / 1024 ** 2} MiB`,
    '',
    '| extensions | content type |',
    '|---|---|',
    ...mediaTypes
      .filter((media) => media.category === category)
      .map(({ extensions, type }) => `| ${extensions.join(', ')} | \`${type}\` |`),
    '',
  ]);
  return [
    'Upload media, group it into submissions, read the compliance issues. Each check is called a sidekick in this API.',
    '',
    'Errors are RFC 9457 problems: `code` is stable, `detail` is for humans. 402 and 429 have their own formats.',
    'Retry 500 and 502 with backoff, 429 after `Retry-After` seconds.',
    '',
    '## Scopes',
    '',
    'What an API key may do. The description of each endpoint names its scope; without it the response is 403 `insufficient_scope`. A key that was created without scopes has all of them except `manage`.',
    '',
    '| scope | may |',
    '|---|---|',
    ...scopes.map((scope) => `| \`${scope}\` | ${scopeMeanings[scope]} |`),
    '',
    roleNote,
    '',
    '## Accepted files',
    '',
    'Extension, content type and content must match. Common aliases of a content type are accepted.',
    '',
    ...tables,
  ].join('\n');
}
