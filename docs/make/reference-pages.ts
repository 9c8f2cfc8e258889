import { assetFailures } from '@assay/contract/asset-failures.ts';
import { makeOpenApi } from '@assay/contract/openapi.ts';
import { prefixes, type Route, refusalsOf } from '@assay/contract/route.ts';
import { eventDescriptions } from '@assay/contract/schemas/event.ts';
import { type Endpoint, endpoints, endpointsOf, pageOf, tags } from './endpoints.ts';
import { code, frontMatter, json, type Page, paragraphs, prose, table } from './markdown.ts';
import { refusalList } from './refusal-list.ts';
import { formatSamples, samplesNote } from './samples/format-samples.ts';
import { type MemberRow, type Schema, type Schemas, schemaRows, typeOf } from './schema-rows.ts';

type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { parameters: Parameter[]; requestBody: { content: Content } } }>;
  components: { schemas: Schemas };
};

// The pages are made from the OpenAPI document that callers' tools read, so that both agree.
const document = makeOpenApi() as Document;
const { schemas } = document.components;

/** The overview, one page per tag, the events, and the asset failures. */
export function makeReferencePages(): Page[] {
  return [overview(), ...tags.map(tagPage), eventsPage(), failuresPage()];
}

function overview(): Page {
  const rows = endpoints.map(({ name, route }) => [
    `[${prose(route.summary)}](${pageOf(route.tag)}#${name.toLowerCase()})`,
    code(`${route.method} ${route.path}`),
  ]);
  const text = paragraphs(
    frontMatter({ title: 'API reference', description: 'Every endpoint, in one table.' }),
    '# API reference',
    `All paths start with \`${prefixes[0]}\`; \`${prefixes[1]}\` is the same service. Every request needs the header \`X-API-Key\`. Bodies are JSON in camelCase. Every [error](/errors/) has a code, and a page that says what to do. A request counts against one [rate-limit bucket](/limits#requests-a-minute).`,
    'The service provides the same reference as OpenAPI 3.1 at `/openapi.json`, without a key.',
    table(['What it does', 'Endpoint'], rows),
    'Webhook subscriptions receive [events](/reference/events).',
  );
  return { path: 'reference/index.md', text };
}

function tagPage(tag: string): Page {
  const text = paragraphs(
    frontMatter({ title: tag, description: `Endpoints: ${tag.toLowerCase()}.`, outline: 2 }),
    `# ${tag}`,
    samplesNote,
    ...endpointsOf(tag).map(section),
  );
  return { path: `${pageOf(tag).slice(1)}.md`, text };
}

function section({ name, route }: Endpoint): string {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()] as Operation;
  return paragraphs(
    `## ${route.summary} {#${name.toLowerCase()}}`,
    `\`${route.method} ${prefixes[0]}${route.path}\``,
    prose(route.description),
    traits(route),
    formatSamples(name),
    operation.parameters && `### Parameters {#${name.toLowerCase()}-parameters}`,
    operation.parameters && parameterTable(operation.parameters),
    requestPart(name, route, operation),
    answerPart(name, route, operation),
    `### Errors {#${name.toLowerCase()}-refusals}`,
    refusalLine(route),
  ).trimEnd();
}

function traits(route: Route): string {
  const words = [
    `Bucket: [\`${route.bucket}\`](/limits#requests-a-minute).`,
    route.isIdempotent && 'Accepts an [`Idempotency-Key`](/guides/retries-and-idempotency#idempotency-key).',
    route.isSandboxOnly && '[Sandbox key](/guides/sandbox) only.',
    route.sandboxQuery && `\`${route.sandboxQuery}\`: [sandbox key](/guides/sandbox) only.`,
  ];
  return words.filter(Boolean).join(' ');
}

function parameterTable(parameters: Parameter[]): string {
  const rows = parameters.map((parameter) => [
    code(parameter.name),
    parameter.in,
    `${typeOf(parameter.schema, schemas)}${parameter.required ? ', required' : defaultOf(parameter.schema)}`,
    prose(parameter.description ?? ''),
  ]);
  return table(['Name', 'In', 'Type', 'Meaning'], rows);
}

const defaultOf = ({ default: usual }: Schema) => (usual === undefined ? '' : `, default ${usual}`);

function requestPart(name: string, route: Route, { requestBody }: Operation): string | undefined {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!requestBody || !content) return undefined;
  const rows = schemaRows(content.schema, schemas);
  return paragraphs(
    `### Body {#${name.toLowerCase()}-body}`,
    `\`${type}\`${requestBody.required ? '' : ', optional'}`,
    rows.length > 0 ? memberTable(rows, true) : 'An empty object.',
    route.examples.request !== undefined && rows.length > 0 && json(route.examples.request),
  ).trimEnd();
}

function answerPart(name: string, route: Route, { responses }: Operation): string {
  const { success } = route;
  const [type, content] = Object.entries(responses[success.status]?.content ?? {})[0] ?? [];
  const isJson = type === 'application/json' && content;
  return paragraphs(
    `### Response {#${name.toLowerCase()}-answer}`,
    `**${success.status}** ${prose(success.description)}${type && !isJson ? ` \`${type}\`` : ''}`,
    'orNothing' in success && `**204** ${prose(success.orNothing)}`,
    'messages' in success && messageTable(Object.keys(success.messages)),
    isJson && memberTable(schemaRows(content.schema, schemas), false),
    route.examples.response !== undefined && json(route.examples.response),
  ).trimEnd();
}

const messageMeanings: Record<string, string> = {
  snapshot:
    'The submission as [GET returns it](/reference/submissions#getsubmission); sent once, as the first message.',
  'asset.updated': 'The current state of one asset, with its `submissionId`.',
  'submission.updated': 'The current state of the submission, without its assets.',
};

function messageTable(names: string[]): string {
  const rows = names.map((name) => [
    code(name),
    messageMeanings[name] ?? `[The event](/reference/events#${anchorOf(name)}); sandbox key only.`,
  ]);
  return table(['Message', 'Data'], rows);
}

function memberTable(rows: MemberRow[], isRequest: boolean): string {
  const presence = (isRequired: boolean) => {
    if (isRequest) return isRequired ? ', required' : '';
    return isRequired ? '' : ', may be absent';
  };
  const cells = rows.map(({ name, type, isRequired, description }) => [
    code(name),
    `${type}${presence(isRequired)}`,
    prose(description),
  ]);
  return table(['Member', 'Type', 'Meaning'], cells);
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
      headers.map(({ name, description }) => [code(name), prose(description ?? '')]),
    ),
    ...events.map(([type, { post }]) =>
      paragraphs(
        `## ${type} {#${anchorOf(type)}}`,
        prose(eventDescriptions[type as keyof typeof eventDescriptions]),
        memberTable(schemaRows(post.requestBody.content['application/json']?.schema as Schema, schemas), false),
      ).trimEnd(),
    ),
  );
  return { path: 'reference/events.md', text };
}

function failuresPage(): Page {
  const rows = Object.entries(assetFailures).map(([type, { isRetryable, message }]) => [
    code(type),
    isRetryable ? 'yes' : 'no',
    prose(message),
  ]);
  const text = paragraphs(
    frontMatter({ title: 'Asset failures', description: 'Why an asset can fail, and whether a retry may help.' }),
    '# Asset failures',
    'The `errorType` of a failed asset, and what to do. `isRetryable` is true for an asset that may be retried, until its [retries](/guides/retries-and-idempotency#retry-an-asset) are used up. To cause `cancelled` and `corrupt_media`, see [Try a failure](/guides/sandbox#try-a-failure).',
    table(['`errorType`', 'Retry may help', 'What to do'], rows),
  );
  return { path: 'reference/asset-failures.md', text };
}
