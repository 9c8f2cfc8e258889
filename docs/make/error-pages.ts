import { PlanRefusal, Problem, RateLimitRefusal } from '@assay/contract/answers.ts';
import { problemTypeOf, type RefusalCode } from '@assay/contract/refusals.ts';
import { prefixes } from '@assay/contract/route.ts';
import { advice } from './advice.ts';
import { type Endpoint, endpoints, endpointsThatAnswer, linkTo } from './endpoints.ts';
import { escapeProse, frontMatter, json, type Page, paragraphs, table } from './markdown.ts';
import { type RefusalEntry, refusalList } from './refusal-list.ts';
import { sdkFactsOf } from './sdk-facts.ts';

/** An overview, and a page per error code at the address that `type` of a problem contains. */
export function makeErrorPages(): Promise<Page[]> {
  return Promise.all([overview(), ...refusalList.map(errorPage)]);
}

async function overview(): Promise<Page> {
  const rows = await Promise.all(
    refusalList.map(async (entry) => [
      String(entry.status),
      `[\`${entry.code}\`](/errors/${entry.code})`,
      (await sdkFactsOf(entry)).retries,
      escapeProse(entry.title),
    ]),
  );
  const text = paragraphs(
    frontMatter({ title: 'Errors', description: 'Every error code, with what to do.' }),
    '# Errors',
    'Errors are `application/problem+json` (RFC 9457). Branch on `code`, which is stable; `detail` is for humans and says what to do. `type` is the address of the page below. Quote `requestId` when you contact the operator.',
    '402 and 429 are `application/json` with their own formats; recognise them by their status.',
    'Which errors the SDK retries automatically: [Retries and idempotency](/guides/retries-and-idempotency).',
    table(['Status', 'Code', 'SDK retries', 'Title'], rows),
    'A failed asset is not an error response: the request is answered 200, and the asset has an `errorType`. See [Asset failures](/reference/asset-failures).',
  );
  return { path: 'errors/index.md', text };
}

async function errorPage(entry: RefusalEntry): Promise<Page> {
  const { className, retries } = await sdkFactsOf(entry);
  const facts = [
    ['Status', String(entry.status)],
    ['The SDK throws', `[\`${className}\`](/guides/sdk#errors)`],
    ['The SDK retries', retries],
  ];
  const text = paragraphs(
    frontMatter({ title: entry.code, description: `${entry.status} ${entry.title}.`, outline: 2 }),
    `# ${entry.title} {#top}`,
    `\`${entry.code}\``,
    escapeProse(entry.detail),
    table(['Fact', 'Value'], facts),
    adviceOn(entry),
    '## Example',
    entry.status === 429 && 'With the header `Retry-After: 12`.',
    json(exampleOf(entry)),
    '## Returned by',
    returnedBy(entry),
  );
  return { path: `errors/${entry.code}.md`, text };
}

function adviceOn(entry: RefusalEntry): string | undefined {
  const words = advice[entry.code]?.trim();
  if (!words) return undefined;
  const usesPrelude = /\$API\b|\bpick\b/.test(words);
  return paragraphs(
    '## What to do',
    words,
    usesPrelude && 'The variables are those of the [Quickstart](/quickstart#make-a-key).',
  ).trimEnd();
}

const requestId = '0190a5c4-88a1-7d31-9d0b-6f5c1c6a2b7e';

/** An example of the error. It is parsed with the contract’s schema, so it is a valid response. */
function exampleOf(entry: RefusalEntry): unknown {
  if (entry.status === 402) {
    return PlanRefusal.parse({ error_code: entry.code, message: entry.detail, bucket: 'upload' });
  }
  if (entry.status === 429) return RateLimitRefusal.parse({ error: 'Too many requests. Retry in 12 s.' });
  const route = endpointsThatAnswer(entry.code)[0]?.route;
  return Problem.parse({
    type: problemTypeOf(entry.code as RefusalCode),
    title: entry.title,
    status: entry.status,
    detail: entry.detail,
    instance: `${prefixes[0]}${route?.path.replaceAll(/\{\w+\}/g, requestId) ?? '/uploads'}`,
    code: entry.code,
    requestId,
    ...(entry.code === 'validation_failed' && { errors: [exampleFieldError] }),
  });
}

const exampleFieldError = {
  pointer: '/fileName',
  code: 'unknown_member',
  detail: 'Unknown field: fileName. Did you mean filename?',
};

function returnedBy({ code: name, status }: RefusalEntry): string {
  const answering: Endpoint[] = status === 402 || status === 429 ? endpoints : endpointsThatAnswer(name);
  if (answering.length === 0) return 'Any request, before it reaches an endpoint.';
  if (answering.length === endpoints.length) return 'Every endpoint.';
  if (answering.length > endpoints.length / 2) {
    const others = endpoints.filter((endpoint) => !answering.includes(endpoint));
    return paragraphs(
      'Every endpoint except these:',
      others.map((endpoint) => `- ${linkTo(endpoint)}`).join('\n'),
    ).trimEnd();
  }
  return answering.map((endpoint) => `- ${linkTo(endpoint)}: ${escapeProse(endpoint.route.summary)}`).join('\n');
}
