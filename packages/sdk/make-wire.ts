import { assetBytesMax } from '@assay/contract/limits.ts';
import { mediaTypes } from '@assay/contract/media-types.ts';
import openapi from '@assay/contract/openapi.json' with { type: 'json' };
import { refusals } from '@assay/contract/refusals.ts';
import { isOneFile, paramsOf, positionParam, prefixes, type Route } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
};
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };

/** The source of the client’s types and tables, so that the published client needs neither Zod nor the contract. */
export function makeWire(): string {
  return [
    '// Generated from the contract by `pnpm sdk-wire`.',
    ...Object.entries<Schema>(openapi.components.schemas as never).map(typeDeclaration),
    '/** Every error code. Responses with 402 and 429 have none: the client gives them the last two. */',
    `export type RefusalCode =\n${errorCodes().join('\n')};`,
    '/** Every endpoint: its path parameters in order, its query, its body and its response. */',
    `export type Operations = {\n${operationTypes().join('\n')}\n};`,
    '/** Method, path, and whether it takes an `Idempotency-Key`. */',
    `export const operations = {\n${operationRows().join('\n')}\n} as const;`,
    `export const prefix = '${prefixes[0]}';`,
    '/** File extension → content type. */',
    `export const contentTypes: Record<string, string> = {\n${contentTypeRows().join('\n')}\n};`,
    '/** Accepted files by category: their maximum size and extensions. */',
    `export const acceptedFiles = {\n${acceptedFileRows().join('\n')}\n};`,
    '',
  ].join('\n\n');
}

function typeDeclaration([name, schema]: [string, Schema]): string {
  return `${formatComment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) as string;
  if (schema.const !== undefined) return formatLiteral(schema.const);
  if (schema.enum) return schema.enum.map(formatLiteral).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => typeOf(choice, indent)).join(' | ');
  const types = [schema.type ?? []].flat();
  return types.length > 0 ? types.map((type) => typeNamed(type, schema, indent)).join(' | ') : 'unknown';
}

function typeNamed(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return objectType(schema, indent);
    default:
      return type;
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (!properties) {
    return typeof additionalProperties === 'object'
      ? `Record<string, ${typeOf(additionalProperties, indent)}>`
      : 'Record<string, unknown>';
  }
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const suffix = isRequired ? '' : ' | undefined';
    return `${formatComment(schema.description, inner)}${inner}${name}${isRequired ? '' : '?'}: ${typeOf(schema, inner)}${suffix};`;
  });
  return members.length > 0 ? `{\n${members.join('\n')}\n${indent}}` : 'Record<string, never>';
}

const formatLiteral = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

function formatComment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '';
}

function errorCodes(): string[] {
  return [...Object.keys(refusals), 'tier_not_authorized_for_integrations_api', 'rate_limited'].map(
    (code) => `  | '${code}'`,
  );
}

const everyRoute = Object.entries<Route>(routes);

function operationTypes(): string[] {
  return everyRoute.map(([name, route]) => {
    const params = paramsOf(route).map(({ inCode }) => `${inCode}: ${inCode === positionParam ? 'number' : 'string'}`);
    const members = [
      `params: [${params.join(', ')}]`,
      ...(route.query ? [`query: ${queryType(route)}`] : []),
      ...(route.body ? [`body: ${isOneFile(route.body) ? 'FormData' : bodyName(route)}`] : []),
      `response: ${responseName(route)}`,
    ];
    return `  ${name}: {\n${members.map((member) => `    ${member};`).join('\n')}\n  };`;
  });
}

type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};

function operationOf({ method, path }: Route): Operation {
  const paths = openapi.paths as unknown as Record<string, Record<string, Operation>>;
  return paths[path]?.[method.toLowerCase()] as Operation;
}

function queryType(route: Route): string {
  const parameters = (operationOf(route).parameters ?? []).filter((parameter) => parameter.in === 'query');
  const properties = parameters.map(({ name, schema, description }) => [
    name,
    {
      ...(schema.type === 'array' ? { anyOf: [schema.items as Schema, schema] } : schema),
      ...(description && { description }),
    },
  ]);
  const required = parameters.filter(({ required }) => required).map(({ name }) => name);
  return objectType({ properties: Object.fromEntries(properties), required }, '    ');
}

function bodyName(route: Route): string {
  return typeOf(operationOf(route).requestBody?.content['application/json']?.schema ?? {}, '');
}

function responseName(route: Route): string {
  if ('messages' in route.success) return 'ReadableStream<Uint8Array>';
  if ('file' in route.success) return 'Uint8Array';
  const schema = operationOf(route).responses[route.success.status]?.content?.['application/json']?.schema;
  return schema ? typeOf(schema, '') : 'undefined';
}

function operationRows(): string[] {
  return everyRoute.map(
    ([name, { method, path, isIdempotent }]) =>
      `  ${name}: ['${method}', '${path.replaceAll(/\{\w+\}/g, '{}')}'${isIdempotent ? ', true' : ''}],`,
  );
}

function acceptedFileRows(): string[] {
  return Object.entries(assetBytesMax).map(([category, bytesMax]) => {
    const extensions = mediaTypes.filter((media) => media.category === category).flatMap((media) => media.extensions);
    return `  ${category}: { bytesMax: ${bytesMax}, extensions: [${extensions.map(formatLiteral).join(', ')}] },`;
  });
}

function contentTypeRows(): string[] {
  return mediaTypes.flatMap(({ extensions, type }) => extensions.map((extension) => `  '${extension}': '${type}',`));
}
