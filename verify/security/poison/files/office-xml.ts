import { makeArchive } from '@assay/testing/media/make-office.ts';
import { latin, u8 } from '../formats/bytes.ts';
import type { Fixture, Recipe } from '../formats/recipe.ts';
import { contentTypes, docx } from '../formats/zip.ts';

/** Slightly below the size limit of an XML part: larger parts are not read at all. */
const characters = 1_000_000;

/** Returns hostile content for a part, including its valid content. */
type Write = (valid: string, fixture: Fixture) => string | Buffer;

/** Each entity repeats the previous one ten times, so that ten levels expand to ten thousand million words. */
const nestedEntities = Array.from(
  { length: 10 },
  (_, i) => `<!ENTITY l${i} "${i ? `&l${i - 1};`.repeat(10) : 'lol'}">`,
);

const texts: Record<string, Write> = {
  'entities-of-entities': (valid) => `<!DOCTYPE a [${nestedEntities.join('')}]>${valid}<a>&l9;</a>`,
  'entities-that-name-each-other': (valid) => `<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]>${valid}<a>&x;</a>`,
  'one-long-entity-50000-times': (valid) =>
    `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(500_000)}">]>${valid}<a>${'&x;'.repeat(50_000)}</a>`,
  'an-entity-from-elsewhere': (valid, { listener, canary }) =>
    `<!DOCTYPE a [<!ENTITY f SYSTEM "file://${canary}"><!ENTITY w SYSTEM "http://${listener}/w">]>${valid}<a>&f;&w;</a>`,
  'a-type-from-elsewhere': (valid, { listener, canary }) =>
    `<!DOCTYPE a SYSTEM "http://${listener}/a.dtd" [<!ENTITY % p SYSTEM "file://${canary}"> %p;]>${valid}`,
  'a-style-and-an-inclusion-from-elsewhere': (valid, { listener, canary }) =>
    `<?xml-stylesheet href="http://${listener}/a.xsl"?>${valid}<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${canary}"/>`,
  '100000-levels': (valid) => `${valid}${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`,
  '300000-levels-that-never-close': (valid) => `${valid}${'<a>'.repeat(300_000)}`,
  'one-attribute-of-1-MB': (valid) => `${valid}<Relationship Target="${'x'.repeat(characters - 500)}"/>`,
  '100000-attributes': (valid) => `${valid}<Relationship ${'a="" '.repeat(100_000)}/>`,
  '100000-attributes-without-a-value': (valid) => `${valid}<Relationship ${'a = '.repeat(100_000)}/>`,
  'attributes-between-100-spaces': (valid) => `${valid}<Relationship ${`a${' '.repeat(99)}`.repeat(9000)}/>`,
  'a-quote-that-never-closes': (valid) => `${valid}<Relationship a="x${"b='".repeat(200_000)}`,
  'utf-16-little': (valid) => Buffer.from(`\ufeff${valid}`, 'utf16le'),
  'utf-16-big-without-a-mark': (valid) => Buffer.from(`<?xml version="1.0"?>${valid}`, 'utf16le').swap16(),
  'half-a-character-of-utf-16': (valid) => Buffer.from(`\ufeff${valid}`, 'utf16le').subarray(0, -1),
  'utf-7': (valid) =>
    `<?xml version="1.0" encoding="UTF-7"?>${valid}+ADw-Relationship TargetMode+AD0AIg-External+ACI-/+AD4-`,
  'utf-32': (valid) => Buffer.concat([...valid].map((letter) => u8(0, 0, 0, letter.charCodeAt(0)))),
  'a-declared-encoding-that-is-another': (valid) => `<?xml version="1.0" encoding="UTF-16"?>${valid}`,
  'broken-utf-8': (valid) =>
    Buffer.concat([latin(valid), Buffer.alloc(100_000, u8(0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80))]),
  'character-data': (valid) => `${valid}<a><![CDATA[${'<b>]] >'.repeat(100_000)}]]></a>`,
  'character-data-that-never-ends': (valid) => `${valid}<a>${'<![CDATA['.repeat(100_000)}`,
  'a-comment-that-never-ends': (valid) => `${valid}<!--${'-'.repeat(characters - 500)}`,
  '100000-comments': (valid) => `${valid}${'<!---->'.repeat(100_000)}`,
  'an-instruction-that-never-ends': (valid) => `${valid}<?${'?'.repeat(characters - 500)}`,
  'a-million-brackets': (valid) => `${valid}${'<'.repeat(characters - 500)}`,
  'a-million-closing-brackets': (valid) => `${valid}${'>'.repeat(characters - 500)}`,
  'a-million-ampersands': (valid) => `${valid}<a>${'&'.repeat(characters - 500)}`,
  '200000-numbered-characters': (valid) => `${valid}<a>${'&#x41;'.repeat(60_000)}${'&#9999999;'.repeat(60_000)}`,
  '240000-elements': (valid) => `${valid}${'<a/>'.repeat(240_000)}`,
  '240000-elements-with-text': (valid) => `${valid}${'<a>b'.repeat(240_000)}`,
  '70000-relationships': (valid) => `${valid}${'<Relationship'.repeat(70_000)}`,
  '20000-relationships-to-elsewhere': (valid, { listener }) =>
    `${valid}${`<Relationship Target="//${listener}" TargetMode="External"/>`.repeat(15_000)}`,
  'nul-between-all': (valid) => `${[...valid].join('\0')}`,
  'nul-at-the-end': (valid) => `${valid}${'\0'.repeat(characters - 500)}`,
  'spaces-alone': (valid) => `${' '.repeat(characters - 500)}${valid}`,
  'names-of-64-characters': (valid) => `${valid}${`<${'a'.repeat(64)}:${'b'.repeat(64)}`.repeat(7000)}`,
};

const relationships =
  '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="word/document.xml"/></Relationships>';
const properties = '<cp:coreProperties><dc:creator>Ann</dc:creator></cp:coreProperties>';

const parts: [label: string, put: (write: (valid: string) => string | Buffer) => Buffer][] = [
  ['types', (write) => makeArchive([{ name: '[Content_Types].xml', data: write(contentTypes('docx')) }])],
  ['relationships', (write) => docx({ name: '_rels/.rels', data: write(relationships) })],
  ['properties', (write) => docx({ name: 'docProps/core.xml', data: write(properties) })],
];

/** With these contents, the format of the package may not be recognised. */
const unreadableParts = new Set([
  'utf-16-little',
  'utf-16-big-without-a-mark',
  'half-a-character-of-utf-16',
  'utf-32',
  'nul-between-all',
]);

export const officeXml: Recipe[] = parts.flatMap(([label, put]) =>
  Object.entries(texts).map(([name, write]) => ({
    name: `office/${label}-${name}`,
    filename: 'a.docx',
    make: (fixture) => put((valid) => write(valid, fixture)),
    expected: label === 'types' && unreadableParts.has(name) ? ['refused 415', 'complete'] : ['complete'],
  })),
);
