import { assetFailures } from '@assay/contract/asset-failures.ts';
import { makeOpenApi } from '@assay/contract/openapi.ts';
import { roleNote, scopeMeanings, scopes } from '@assay/contract/rights.ts';
import { prefixes, type Route, refusalsOf } from '@assay/contract/route.ts';
import { eventDescriptions } from '@assay/contract/schemas/event.ts';
import { type Endpoint, endpoints, endpointsOf, pageOf, tags } from './endpoints.ts';
import { code, escapeProse, frontMatter, json, type Page, paragraphs, table } from './markdown.ts';
import { createObjects, meaningCell, type Objects, plainTable, titleCell } from './reference-objects.ts';
import { refusalList } from './refusal-list.ts';
import { formatSamples, samplesNote } from './samples/format-samples.ts';
import { type Meaning, meaningOf, type Schema, type Schemas, typeOf } from './schema-rows.ts';

type Header = { description?: string; schema: Schema };
type Parameter = Header & { name: string; in: string; required: boolean };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { headers?: Record<string, Header>; content?: Content }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { parameters: Parameter[]; requestBody: { content: Content } } }>;
  components: { schemas: Schemas };
};

// The pages are generated from the OpenAPI document that callers' tools read, so the two agree.
const document = makeOpenApi() as Document;
const { schemas } = document.components;

/** The overview, one page per tag, the events, and the asset failures. */
export function makeReferencePages(): Page[] {
  return [overview(), ...tags.map(tagPage), eventsPage(), failuresPage()];
}

function overview(): Page {
  const rows = endpoints.map(({ name, route }) => [
    `[${escapeProse(route.summary)}](${pageOf(route.tag)}#${name.toLowerCase()})`,
    code(`${route.method} ${route.path}`),
    route.scope ? code(route.scope) : 'any',
    code(route.role),
  ]);
  const text = paragraphs(
    frontMatter({ title: 'API reference', description: 'Every endpoint, in one table.' }),
    '# API reference',
    `All paths start with \`${prefixes[0]}\`; \`${prefixes[1]}\` is the same service. Every request needs the header \`X-API-Key\`. Bodies are JSON in camelCase. Every [error](/errors/) has a code, and a page that says what to do. A request counts against one [rate-limit bucket](/limits#requests-a-minute).`,
    'The service provides the same reference as OpenAPI 3.1 at `/openapi.json`, without a key.',
    table(['What it does', 'Endpoint', 'Scope', 'Role'], rows),
    'Webhook subscriptions receive [events](/reference/events).',
    '## Scopes',
    'What an [API key](/guides/keys) may do. Without the scope of an endpoint, the response is [403](/errors/insufficient_scope). A key that was created without scopes has all of them except `manage`.',
    table(
      ['Scope', 'May'],
      scopes.map((scope) => [code(scope), escapeProse(scopeMeanings[scope])]),
    ),
    roleNote,
    '## Response headers',
    headerTable(),
    '## Error bodies',
    'Every error has the body `Problem` (`application/problem+json`), except [402](/errors/tier_not_authorized_for_integrations_api) and [429](/errors/rate_limited).',
    ...['Problem', 'PlanRefusal', 'RateLimitRefusal'].map(errorBody),
  );
  return { path: 'reference/index.md', text };
}

function headerTable(): string {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const headers = new Map(
    operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap((response) => Object.entries(response.headers ?? {})),
    ),
  );
  const rows = [...headers].map(([name, { schema, description = '' }]) => [
    titleCell(
      name,
      typeOf(schema, schemas, () => ''),
    ),
    meaningCell({ ...meaningOf(schema, schemas), description }),
  ]);
  return table(['Header', 'Meaning'], rows);
}

function errorBody(name: string): string {
  const schema = schemas[name] as Schema;
  return paragraphs(
    `### ${name} {#${name.toLowerCase()}}`,
    escapeProse(schema.description ?? ''),
    plainTable(schema, schemas),
    json(schema.examples?.[0]),
  ).trimEnd();
}

function tagPage(tag: string): Page {
  const onPage = endpointsOf(tag);
  const responses = onPage.flatMap((endpoint) => responseOf(endpoint.route)?.schema ?? []);
  const streamed = onPage.flatMap(({ route }) =>
    'messages' in route.success ? ['AssetUpdate', 'SubmissionUpdate'] : [],
  );
  const objects = createObjects(responses, streamed, schemas);
  const text = paragraphs(
    frontMatter({ title: tag, description: `Endpoints: ${tag.toLowerCase()}.`, outline: 2 }),
    `# ${tag}`,
    samplesNote,
    ...onPage.map((endpoint) => endpointSection(endpoint, objects)),
    ...objects.sections(),
  );
  return { path: `${pageOf(tag).slice(1)}.md`, text };
}

const operationOf = ({ path, method }: Route) => document.paths[path]?.[method.toLowerCase()] as Operation;
const responseOf = (route: Route) => operationOf(route).responses[route.success.status]?.content?.['application/json'];

function endpointSection({ name, route }: Endpoint, objects: Objects): string {
  const operation = operationOf(route);
  return paragraphs(
    `## ${route.summary} {#${name.toLowerCase()}}`,
    `\`${route.method} ${prefixes[0]}${route.path}\``,
    escapeProse(route.description),
    describeTraits(route),
    formatSamples(name),
    operation.parameters && `### Parameters {#${name.toLowerCase()}-parameters}`,
    operation.parameters && parameterTable(operation.parameters),
    requestSection(name, route, operation, objects),
    responseSection(name, route, operation, objects),
    `### Errors {#${name.toLowerCase()}-refusals}`,
    refusalLine(route),
  ).trimEnd();
}

function describeTraits(route: Route): string {
  const words = [
    route.scope ? `Scope: [\`${route.scope}\`](/reference/#scopes).` : 'Any key may call it.',
    `Role: \`${route.role}\`.`,
    `Bucket: [\`${route.bucket}\`](/limits#requests-a-minute).`,
    route.isIdempotent && 'Accepts an [`Idempotency-Key`](/guides/retries-and-idempotency#idempotency-key).',
    route.isSandboxOnly && '[Sandbox key](/guides/sandbox) only.',
    route.sandboxQuery && `\`${route.sandboxQuery}\`: [sandbox key](/guides/sandbox) only.`,
  ];
  return words.filter(Boolean).join(' ');
}

function parameterTable(parameters: Parameter[]): string {
  const rows = parameters.map((parameter) => [
    titleCell(parameter.name, parameterType(parameter)),
    meaningCell(parameterMeaning(parameter)),
  ]);
  return table(['Parameter', 'Meaning'], rows);
}

function parameterType({ in: place, required, schema }: Parameter): string {
  return `${place}, ${typeOf(schema, schemas, () => '')}${required ? ', required' : defaultOf(schema)}`;
}

/** The meaning of a parameter. The example of a list is shown as a repeated query parameter. */
function parameterMeaning({ name, schema, description = '' }: Parameter): Meaning {
  const meaning = { ...meaningOf(schema, schemas), description };
  const [example] = schema.examples ?? [];
  if (!Array.isArray(example)) return meaning;
  return { ...meaning, example: example.map((value) => `${name}=${value}`).join('&') };
}

const defaultOf = ({ default: usual }: Schema) => (usual === undefined ? '' : `, default ${usual}`);

function requestSection(name: string, route: Route, { requestBody }: Operation, objects: Objects): string | undefined {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!requestBody || !content) return undefined;
  const members = objects.describe(content.schema, true);
  return paragraphs(
    `### Body {#${name.toLowerCase()}-body}`,
    `\`${type}\`${requestBody.required ? '' : ', optional'}`,
    members ?? 'An empty object.',
    route.examples.request !== undefined && members && json(route.examples.request),
  ).trimEnd();
}

function responseSection(name: string, route: Route, { responses }: Operation, objects: Objects): string {
  const { success } = route;
  const { headers = {}, content = {} } = responses[success.status] ?? {};
  const [type] = Object.keys(content);
  const body = responseOf(route);
  return paragraphs(
    `### Response {#${name.toLowerCase()}-answer}`,
    `**${success.status}** ${escapeProse(success.description)}${type && !body ? ` \`${type}\`` : ''}`,
    'orNothing' in success && `**204** ${escapeProse(success.orNothing)}`,
    headerLine(Object.keys(headers)),
    'messages' in success && messageTable(Object.keys(success.messages)),
    body && objects.describe(body.schema, false),
    route.examples.response !== undefined && json(route.examples.response),
  ).trimEnd();
}

/** The headers of a response, except X-Request-Id, which every response has. */
function headerLine(names: string[]): string | undefined {
  const special = names.filter((name) => name !== 'X-Request-Id').map(code);
  return special.length > 0 ? `[Headers](/reference/#response-headers): ${special.join(', ')}.` : undefined;
}

const messageMeanings: Record<string, string> = {
  snapshot: 'The [Submission](/reference/submissions#submission), as GET returns it; sent once, as the first message.',
  'asset.updated': '[AssetUpdate](#assetupdate): the current state of one asset, with its `submissionId`.',
  'submission.updated':
    '[SubmissionUpdate](#submissionupdate): the current state of the submission, without its assets.',
};

function messageTable(names: string[]): string {
  const rows = names.map((name) => [
    code(name),
    messageMeanings[name] ?? `[The event](/reference/events#${anchorOf(name)}); sandbox key only.`,
  ]);
  return table(['Message', 'Data'], rows);
}

function refusalLine(route: Route): string {
  const codes: string[] = [...refusalsOf(route), 'tier_not_authorized_for_integrations_api', 'rate_limited'];
  return refusalList
    .filter((entry) => codes.includes(entry.code))
    .map((entry) => `${entry.status}\u00a0[\`${entry.code}\`](/errors/${entry.code})`)
    .join(', ');
}

const anchorOf = (eventType: string) => eventType.replaceAll('.', '-');

function eventsPage(): Page {
  const events = Object.entries(document.webhooks);
  const headers = events[0]?.[1].post.parameters ?? [];
  const text = paragraphs(
    frontMatter({ title: 'Events', description: 'What webhook subscriptions receive.' }),
    '# Events',
    'A subscription receives events by POST, signed according to Standard Webhooks 1.0.0. The members of `data` are in snake_case. To receive them, see [Webhooks](/guides/webhooks).',
    '## Headers',
    table(
      ['Header', 'Meaning'],
      headers.map((header) => [code(header.name), meaningCell(parameterMeaning(header))]),
    ),
    ...events.map(([type, { post }]) => eventSection(type, post.requestBody.content)),
  );
  return { path: 'reference/events.md', text };
}

function eventSection(type: string, content: Content): string {
  const { $ref = '' } = content['application/json']?.schema ?? {};
  const schema = schemas[$ref.split('/').at(-1) as string] as Schema;
  return paragraphs(
    `## ${type} {#${anchorOf(type)}}`,
    escapeProse(eventDescriptions[type as keyof typeof eventDescriptions]),
    plainTable(schema, schemas),
    json(schema.examples?.[0]),
  ).trimEnd();
}

function failuresPage(): Page {
  const rows = Object.entries(assetFailures).map(([type, { isRetryable, message }]) => [
    code(type),
    isRetryable ? 'yes' : 'no',
    escapeProse(message),
  ]);
  const text = paragraphs(
    frontMatter({ title: 'Asset failures', description: 'Why an asset can fail, and whether a retry may help.' }),
    '# Asset failures',
    'The `errorType` of a failed asset, and what to do. `isRetryable` is true for an asset that may be retried, until its [retries](/guides/retries-and-idempotency#retry-an-asset) are used up. To cause `cancelled` and `corrupt_media`, see [Try a failure](/guides/sandbox#try-a-failure).',
    table(['`errorType`', 'Retry may help', 'What to do'], rows),
  );
  return { path: 'reference/asset-failures.md', text };
}
