import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import type { Evidence } from '#evidence/evidence.ts';
import { isHiddenEmbedding } from '#evidence/file/archive/relationships.ts';
import { nestedPackageName, type ZipContent, type ZipPackage } from '#evidence/file/archive/zip-content.ts';
import { formatBytes, formatCount } from '#sidekick/format-values.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Declared, Finding } from '#sidekick/sidekick.ts';
import { listFirst, quote, toPlainText } from '#sidekick/words.ts';
import type { RuleCode } from './rules.ts';
import { unreadFinding } from './unread.ts';

const MiB = 1024 * 1024;

/** Unpacked size, and its ratio to the packed size: repetitive sheets of ordinary workbooks stay below 150. */
const bombLimits = { sizeBytes: 100 * MiB, ratio: 200, totalBytes: 4096 * MiB } as const;

const macroPartPath = /(?:^|\/)(?:vbaProject\.bin|vbaData\.xml|(?:intl)?macrosheets\/[^/]+)$/i;
const controlPartPath = /(?:^|\/)activeX\/[^/]+\.(?:bin|xml)$/i;
const embeddedPartPath = /(?:^|\/)embeddings\/[^/]+$/i;
const macroKind = /vbaProject|macrosheet/i;
/** Programs, archives, and documents that can have macros or embedded files themselves. */
const unopenedName =
  /\.(?:zip|7z|rar|tar|gz|cab|iso|jar|msi|exe|dll|scr|bat|cmd|ps1|vbs|js|wsf|hta|lnk|doc|xls|ppt|docm|dotm|xlsm|xlsb|xltm|pptm|potm|rtf|pdf|mht|mhtml|eml|msg)$/i;

/** Checks the content of an Office package or another zip file. */
export function judgeArchive(
  { zipContent, foreignContent }: Pick<Evidence, 'zipContent' | 'foreignContent'>,
  { media }: Declared,
): Finding<RuleCode>[] {
  const isOffice = media.type.includes('openxmlformats');
  if (!zipContent) return isOffice ? [noDirectoryFinding(foreignContent)] : [];
  return [...judgeParts(zipContent), ...judgeStructure(zipContent), ...judgeUnread(zipContent, isOffice)];
}

/** A package and all those embedded in it, each with the path that leads to its parts. */
function packagesOf(zip: ZipPackage, path = ''): { zip: ZipPackage; path: string }[] {
  return [{ zip, path }, ...zip.nested.flatMap(({ name, content }) => packagesOf(content, `${path}${name}/`))];
}

function partNames(packages: ReturnType<typeof packagesOf>): string[] {
  return packages.flatMap(({ zip, path }) => zip.entries.map(({ name }) => `${path}${name}`.replaceAll('\\', '/')));
}

/** The targets of relationships to embedded files in parts whose names do not say so. */
function hiddenEmbeddings(packages: ReturnType<typeof packagesOf>, isKind: (kind: string) => boolean): string[] {
  const found = packages.flatMap((one) => one.zip.relationships.filter(isHiddenEmbedding));
  return found.filter(({ kind }) => isKind(kind)).map(({ target }) => target);
}

function judgeParts(zip: ZipContent): Finding<RuleCode>[] {
  const packages = packagesOf(zip);
  const names = partNames(packages);
  const relationships = packages.flatMap((one) => one.zip.relationships);
  const hasMacroContentType = packages.some((one) => one.zip.hasMacroContentType);
  const related = relationships.filter(({ kind }) => macroKind.test(kind)).map(({ target }) => target);
  const macros = [...new Set([...names.filter((name) => macroPartPath.test(name)), ...related])];
  const controls = names.filter((name) => controlPartPath.test(name));
  const embedded = [
    ...names.filter((name) => embeddedPartPath.test(name) && !nestedPackageName.test(name)),
    ...hiddenEmbeddings(packages, (kind) => kind !== 'aFChunk'),
  ];
  const external = relationships.filter(({ isExternal }) => isExternal);
  const found: Finding<RuleCode>[] = [];
  if (macros.length > 0 || hasMacroContentType) {
    found.push(
      certainFinding('SAFE-OFFICE-MACRO', {
        subject: 'macros',
        summary: `The document contains macros${macros.length > 0 ? `: ${listFirst(macros, quote)}` : ''}. Save it without macros.`,
        severityReasoning: `${formatCount(macros.length, 'macro part')}; ${hasMacroContentType ? 'a' : 'no'} macro content type is declared`,
      }),
    );
  }
  found.push(
    ...findingForNames(
      'SAFE-OFFICE-CONTROL',
      'ActiveX controls',
      'contains ActiveX controls',
      controls,
      'Remove them.',
    ),
    ...findingForNames(
      'SAFE-OFFICE-EMBEDDED-OBJECT',
      'embedded objects',
      'contains embedded objects',
      embedded,
      'Remove them, or deliver them as separate files.',
    ),
  );
  const kinds = [...new Set(external.map(({ kind }) => kind))].sort();
  for (const kind of kinds) {
    const targets = external.filter((one) => one.kind === kind).map(({ target }) => target);
    found.push(
      ...findingForNames(
        'SAFE-OFFICE-EXTERNAL',
        `external ${kind}`,
        `loads external content (${toPlainText(kind)})`,
        targets,
        'Embed the content or remove the link.',
      ),
    );
  }
  return found;
}

function judgeStructure(zip: ZipContent): Finding<RuleCode>[] {
  const names = zip.entries.map(({ name }) => name.replaceAll('\\', '/'));
  const outsideNames = names.filter((name) => /(?:^|\/)\.\.(?:\/|$)|^[a-z]:/i.test(name) || name.includes('\0'));
  const seen = new Set<string>();
  const repeated = new Set(names.filter((name) => seen.size === seen.add(name).size));
  return [
    ...judgeSize(zip),
    ...findingForNames(
      'SAFE-ARCHIVE-STRUCTURE',
      'overlapping entries',
      'has entries that share bytes',
      zip.overlapping,
    ),
    ...findingForNames('SAFE-ARCHIVE-STRUCTURE', 'repeated names', 'has several entries with the same name', [
      ...repeated,
    ]),
    ...findingForNames(
      'SAFE-ARCHIVE-PATH',
      'path traversal',
      'has entry names that lead outside its folder',
      outsideNames,
    ),
  ];
}

function judgeSize({ entries }: ZipContent): Finding<RuleCode>[] {
  const total = sumOf(entries, 'sizeBytes');
  const packed = sumOf(entries, 'compressedBytes');
  const worst = entries.find(isBomb);
  if (!worst && !isBomb({ sizeBytes: total, compressedBytes: packed }) && total <= bombLimits.totalBytes) return [];
  const limit = worst || total <= bombLimits.totalBytes ? bombLimits.sizeBytes : bombLimits.totalBytes;
  const ratio = `${formatBytes(bombLimits.sizeBytes)} at more than ${bombLimits.ratio} times the packed size`;
  const reported = limit === bombLimits.sizeBytes ? `threshold: ${ratio}` : `limit ${formatBytes(limit)}`;
  return [
    certainFinding('SAFE-ARCHIVE-BOMB', {
      subject: 'unpacked size',
      summary: `The file expands to ${formatBytes(total, limit)}${worst ? `, mostly in ${quote(worst.name)}` : ''} (${reported}). Create the file again.`,
      severityReasoning: `${formatBytes(total)} unpacked, ${formatBytes(packed)} packed; threshold: ${ratio}, or ${formatBytes(bombLimits.totalBytes)} in total`,
      measured: total,
      limit,
      unit: 'B',
    }),
  ];
}

/** What could not be read. Encrypted parts are reported once, however many kinds of them there are. */
function judgeUnread(zip: ZipContent, isOffice: boolean): Finding<RuleCode>[] {
  const packages = packagesOf(zip);
  const found: Finding<RuleCode>[] = [];
  const add = (subject: string, label: string, reason: NotExaminedReason, summary: string, severityReasoning: string) =>
    found.push(unreadFinding({ subject, kind: 'entries', label, reason, summary, severityReasoning }));
  const encrypted = packages.flatMap((one) => one.zip.entries.filter(({ isEncrypted }) => isEncrypted)).length;
  const unread = packages.flatMap(({ zip: { unreadParts }, path }) =>
    unreadParts.map(({ name, reason }) => ({ name: `${path}${name}`, reason })),
  );
  const namesOf = (reason: NotExaminedReason) => unread.filter((one) => one.reason === reason).map(({ name }) => name);
  if (packages.some((one) => one.zip.isDamaged)) {
    add(
      'archive: directory',
      'the archive directory',
      'damaged',
      'The archive directory could be read only in part. Save the file again.',
      `${formatCount(zip.entries.length, 'entry', 'entries')} read; the directory declares another number`,
    );
  }
  if (encrypted > 0 || namesOf('encrypted').length > 0) {
    const count = Math.max(encrypted, namesOf('encrypted').length);
    add(
      'archive: encryption',
      `${formatCount(count, 'encrypted entry', 'encrypted entries')}`,
      'encrypted',
      'Parts of the file are encrypted and were not checked. Deliver it without encryption.',
      `${formatCount(count, 'entry', 'entries')} encrypted`,
    );
  }
  for (const reason of ['damaged', 'unsupported'] as const) {
    const names = namesOf(reason);
    if (names.length === 0) continue;
    add(
      'archive: parts',
      listFirst(names),
      reason,
      'Parts of the file could not be read and were not checked. Save the file again.',
      `Not read: ${listFirst(names, quote)}`,
    );
  }
  return isOffice
    ? [
        ...found,
        ...judgeEmbedded(
          partNames(packages),
          hiddenEmbeddings(packages, () => true),
        ),
      ]
    : found;
}

/** Embedded files of types that can carry code. Images, fonts and media cannot; Office packages were examined. */
function judgeEmbedded(names: readonly string[], hidden: readonly string[]): Finding<RuleCode>[] {
  const isLeft = (name: string) =>
    (embeddedPartPath.test(name) && !nestedPackageName.test(name)) || unopenedName.test(name);
  const left = [...names.filter(isLeft), ...hidden];
  if (left.length === 0) return [];
  return [
    unreadFinding({
      subject: 'archive: embedded files',
      kind: 'embedded_file',
      label: listFirst(left),
      reason: 'unsupported',
      summary: `Files embedded in the document were not checked: ${listFirst(left, quote)}. Deliver them as separate files.`,
      severityReasoning: `${formatCount(left.length, 'embedded file')} not opened`,
    }),
  ];
}

function noDirectoryFinding(foreignContent: Evidence['foreignContent']): Finding<RuleCode> {
  const subject = 'archive: directory';
  const part = { subject, kind: 'entries', label: 'the whole document' } as const;
  return foreignContent.isEncryptedOffice
    ? unreadFinding({
        ...part,
        reason: 'encrypted',
        summary: 'The document is encrypted with a password and was not checked. Deliver it without a password.',
        severityReasoning: 'The content is an encrypted Office package',
      })
    : unreadFinding({
        ...part,
        reason: 'damaged',
        summary: 'The archive directory cannot be read. Save the document again.',
        severityReasoning: 'No zip directory',
      });
}

function findingForNames(
  ruleCode: RuleCode,
  subject: string,
  fault: string,
  names: readonly string[],
  remedy = 'Create the file again.',
): Finding<RuleCode>[] {
  if (names.length === 0) return [];
  return [
    certainFinding(ruleCode, {
      subject,
      summary: `The file ${fault}: ${listFirst(names, quote)}. ${remedy}`,
      severityReasoning: `${formatCount(names.length, 'occurrence')} in the archive directory or its relationships`,
      measured: names.length,
      limit: 0,
      unit: 'occurrences',
    }),
  ];
}

function isBomb({ sizeBytes, compressedBytes }: { sizeBytes: number; compressedBytes: number }): boolean {
  return sizeBytes >= bombLimits.sizeBytes && sizeBytes > bombLimits.ratio * Math.max(1, compressedBytes);
}

function sumOf(entries: ZipContent['entries'], field: 'sizeBytes' | 'compressedBytes'): number {
  return entries.reduce((sum, entry) => sum + entry[field], 0);
}
