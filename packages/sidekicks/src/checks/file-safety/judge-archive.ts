import type { Evidence } from '../../evidence/evidence.ts';
import type { ZipContent } from '../../evidence/zip-content.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Declared, Finding } from '../../sidekick.ts';
import { count } from '../../words.ts';
import type { RuleCode } from './rules.ts';
import { mebibytes, quoteNames } from './words.ts';

const MiB = 1024 * 1024;

/** Unpacked so large and so many times its packed size; repetitive sheets of honest books stay below 150. */
const bomb = { sizeBytes: 100 * MiB, ratio: 200, totalBytes: 4096 * MiB } as const;

const macroPart = /(?:^|\/)(?:vbaProject\.bin|vbaData\.xml|(?:intl)?macrosheets\/[^/]+)$/i;
const controlPart = /(?:^|\/)activeX\/[^/]+\.(?:bin|xml)$/i;
const embeddedPart = /(?:^|\/)embeddings\/[^/]+$/i;
// What charts and slides keep their figures in.
const harmlessEmbedded = /\.(?:xlsx|docx|pptx)$/i;
const harmlessExternal = new Set(['hyperlink', 'image', 'audio', 'video', 'media', 'externallinkpath']);
/** On the reader's own disk: nothing is fetched from elsewhere. */
const localTarget = /^(?:file:\/{3})?[a-z]:[\\/]|^(?![\\/]{2})(?![a-z][a-z0-9+.-]*:)/i;

/** What an Office package, or any zip, brings along. */
export function judgeArchive({ zipContent }: Pick<Evidence, 'zipContent'>, { media }: Declared): Finding<RuleCode>[] {
  const isOffice = media.type.includes('openxmlformats');
  if (zipContent) return [...judgeParts(zipContent), ...judgeStructure(zipContent), ...judgeUnread(zipContent)];
  return isOffice
    ? [unverified('directory', 'The table of contents of the file cannot be read.', 'No zip directory.')]
    : [];
}

function judgeParts(zip: ZipContent): Finding<RuleCode>[] {
  const names = zip.entries.map(({ name }) => name.replaceAll('\\', '/'));
  const related = (pattern: RegExp) =>
    zip.relationships.filter(({ kind }) => pattern.test(kind)).map((one) => one.target);
  const macros = [...new Set([...names.filter((name) => macroPart.test(name)), ...related(/vbaProject|macrosheet/i)])];
  const controls = names.filter((name) => controlPart.test(name));
  const embedded = names.filter((name) => embeddedPart.test(name) && !harmlessEmbedded.test(name));
  const external = zip.relationships.filter(
    ({ isExternal, kind, target }) =>
      isExternal && !harmlessExternal.has(kind.toLowerCase()) && !localTarget.test(target.trim()),
  );
  const found: Finding<RuleCode>[] = [];
  if (macros.length > 0 || zip.hasMacroContentType) {
    found.push(
      certain('SAFE-OFFICE-MACRO', {
        subject: 'macros',
        summary: `The document contains macros${macros.length > 0 ? `: ${quoteNames(macros)}` : ''}.`,
        severityReasoning: `${count(macros.length, 'macro part')}; a content type of macros is ${zip.hasMacroContentType ? '' : 'not '}declared.`,
      }),
    );
  }
  found.push(...grouped('SAFE-OFFICE-CONTROL', 'ActiveX controls', 'ActiveX controls', controls));
  found.push(...grouped('SAFE-OFFICE-EMBEDDED-OBJECT', 'embedded objects', 'embedded objects', embedded));
  const kinds = [...new Set(external.map(({ kind }) => kind))].sort();
  for (const kind of kinds) {
    const targets = external.filter((one) => one.kind === kind).map(({ target }) => target);
    found.push(
      ...grouped('SAFE-OFFICE-EXTERNAL', `external ${kind}`, `content that it fetches as ${kind} from`, targets),
    );
  }
  return found;
}

function judgeStructure(zip: ZipContent): Finding<RuleCode>[] {
  const names = zip.entries.map(({ name }) => name.replaceAll('\\', '/'));
  const escaping = names.filter((name) => /(?:^|\/)\.\.(?:\/|$)|^[a-z]:/i.test(name) || name.includes('\0'));
  const seen = new Set<string>();
  const repeated = new Set(names.filter((name) => seen.size === seen.add(name).size));
  return [
    ...judgeSize(zip),
    ...grouped('SAFE-ARCHIVE-STRUCTURE', 'overlapping entries', 'entries that claim the same bytes', zip.overlapping),
    ...grouped('SAFE-ARCHIVE-STRUCTURE', 'repeated names', 'several entries of the same name', [...repeated]),
    ...grouped('SAFE-ARCHIVE-PATH', 'path traversal', 'names that lead out of its folder', escaping),
  ];
}

function judgeSize({ entries }: ZipContent): Finding<RuleCode>[] {
  const total = sumOf(entries, 'sizeBytes');
  const packed = sumOf(entries, 'compressedBytes');
  const worst = entries.find(isBomb);
  if (!worst && !isBomb({ sizeBytes: total, compressedBytes: packed }) && total <= bomb.totalBytes) return [];
  return [
    certain('SAFE-ARCHIVE-BOMB', {
      subject: 'unpacked size',
      summary: `Unpacked, the file would take ${mebibytes(total)}${worst ? `, most of it for ${quoteNames([worst.name])}` : ''}.`,
      severityReasoning: `${mebibytes(total)} from ${mebibytes(packed)}; suspicious from ${mebibytes(bomb.sizeBytes)} at ${bomb.ratio} times the packed size, or ${mebibytes(bomb.totalBytes)} in all.`,
      measured: total,
      limit: worst || total <= bomb.totalBytes ? bomb.sizeBytes : bomb.totalBytes,
      unit: 'B',
    }),
  ];
}

function judgeUnread(zip: ZipContent): Finding<RuleCode>[] {
  const encrypted = zip.entries.filter(({ isEncrypted }) => isEncrypted).length;
  const found: Finding<RuleCode>[] = [];
  if (!zip.isWhole) {
    found.push(
      unverified(
        'directory',
        'The table of contents of the file could be read only in part.',
        `${count(zip.entries.length, 'entry', 'entries')} read.`,
      ),
    );
  }
  if (encrypted > 0)
    found.push(
      unverified(
        'encryption',
        'Parts of the file are encrypted.',
        `${count(encrypted, 'entry', 'entries')} encrypted.`,
      ),
    );
  else if (zip.unreadParts.length > 0) {
    found.push(
      unverified('parts', 'Parts of the file could not be looked into.', `Not read: ${quoteNames(zip.unreadParts)}.`),
    );
  }
  return found;
}

function grouped(ruleCode: RuleCode, subject: string, what: string, names: readonly string[]): Finding<RuleCode>[] {
  if (names.length === 0) return [];
  return [
    certain(ruleCode, {
      subject,
      summary: `The file has ${what}: ${quoteNames(names)}.`,
      severityReasoning: `${count(names.length, 'such name')} in its table of contents or its relationships.`,
      measured: names.length,
      limit: 0,
      unit: 'occurrences',
    }),
  ];
}

function unverified(subject: string, summary: string, severityReasoning: string): Finding<RuleCode> {
  return uncertain('SAFE-NOT-VERIFIED', { subject: `archive: ${subject}`, summary, severityReasoning });
}

function isBomb({ sizeBytes, compressedBytes }: { sizeBytes: number; compressedBytes: number }): boolean {
  return sizeBytes >= bomb.sizeBytes && sizeBytes > bomb.ratio * Math.max(1, compressedBytes);
}

function sumOf(entries: ZipContent['entries'], field: 'sizeBytes' | 'compressedBytes'): number {
  return entries.reduce((sum, entry) => sum + entry[field], 0);
}
