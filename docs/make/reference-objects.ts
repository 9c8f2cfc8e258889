import { code, escapeProse, paragraphs, table } from './markdown.ts';
import {
  type Meaning,
  type MemberRow,
  objectNameOf,
  objectsIn,
  type Schema,
  type Schemas,
  schemaRows,
} from './schema-rows.ts';

/**
 * The object tables of one page. An object that appears in several places has one table, to which those places link.
 */
export type Objects = {
  /** The table of a request or response, or a link to it. */
  describe(schema: Schema, isRequest: boolean): string | undefined;
  /** The tables to which other tables link, each below its own heading. */
  sections(): string[];
};

/** Objects that are described on a page of their own. */
const objectPages: Record<string, string> = { Event: '/reference/events' };
const linkToObject = (name: string) => objectPages[name] ?? `#${name.toLowerCase()}`;

/** `responses` are the schemas of the page's responses. The objects in `named` always have a table of their own. */
export function createObjects(responses: Schema[], named: string[], schemas: Schemas): Objects {
  const whole = responses.flatMap((schema) => objectNameOf(schema, schemas) ?? []);
  const repeated = whole.filter((name, i) => whole.indexOf(name) !== i);
  const described = [...responses, ...named.map((name) => schemas[name] as Schema)];
  const nested = described.flatMap((schema) => objectsIn(schema, schemas));
  const separate = [...new Set([...named, ...repeated, ...nested])].filter((name) => !objectPages[name]);

  function tableOf(schema: Schema, name: string | undefined, isRequest: boolean): string | undefined {
    const rows = schemaRows(schema, schemas, linkToObject);
    if (rows.length === 0) return undefined;
    const base = separate.find((other) => other !== name && isMostOf(other, name, schemas));
    if (!base) return memberTable(rows, isRequest);
    const inherited = Object.keys(schemas[base]?.properties ?? {});
    const own = rows.filter(({ name: path }) => !inherited.includes(path.split(/[.[]/, 1)[0] as string));
    return paragraphs(`All members of [${base}](${linkToObject(base)}), and:`, memberTable(own, isRequest)).trimEnd();
  }

  return {
    describe(schema, isRequest) {
      const name = objectNameOf(schema, schemas);
      if (!isRequest && name && separate.includes(name))
        return `${articleFor(name)} [${name}](${linkToObject(name)}) object.`;
      return tableOf(schema, name, isRequest);
    },
    sections: () =>
      separate.map((name) => {
        const schema = schemas[name] as Schema;
        const words = schema.description && escapeProse(schema.description);
        return paragraphs(`## ${name} object {${linkToObject(name)}}`, words, tableOf(schema, name, false)).trimEnd();
      }),
  };
}

const articleFor = (name: string) => (/^[AEIOU]/.test(name) ? 'An' : 'A');

/** Whether an object has all members of another one, and these are at least half of its own members. */
function isMostOf(other: string, name: string | undefined, schemas: Schemas): boolean {
  const own = schemas[name ?? '']?.properties ?? {};
  const others = Object.entries(schemas[other]?.properties ?? {});
  const isSame = ([member, schema]: [string, Schema]) => textOf(own[member]) === textOf(schema);
  return others.length * 2 >= Object.keys(own).length && others.length > 0 && others.every(isSame);
}

const textOf = (schema: Schema | undefined) =>
  JSON.stringify(schema, (key, value) => (key === 'examples' ? undefined : value));

/** A table of the members of an object. */
export function plainTable(schema: Schema, schemas: Schemas): string {
  return memberTable(schemaRows(schema, schemas, linkToObject), false);
}

function memberTable(rows: MemberRow[], isRequest: boolean): string {
  const presence = (isRequired: boolean) => {
    if (isRequest) return isRequired ? ', required' : '';
    return isRequired ? '' : ', may be absent';
  };
  const cells = rows.map((row) => [titleCell(row.name, `${row.type}${presence(row.isRequired)}`), meaningCell(row)]);
  return table(['Member', 'Meaning'], cells);
}

/** Name and type in one cell, one below the other, which leaves more width for the meaning. */
export const titleCell = (name: string, type: string) => `${code(name)}<br>${type}`;

export function meaningCell({ description, values, example }: Meaning): string {
  const lines = [
    escapeProse(description),
    values.length > 0 && `${values.length > 1 ? 'Values' : 'Value'}: ${values.map(code).join(', ')}`,
    example !== undefined && `Example: ${code(example)}`,
  ];
  return lines.filter(Boolean).join('<br>');
}
