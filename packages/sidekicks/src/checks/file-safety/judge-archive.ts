import type { Evidence } from '#evidence/evidence.ts';
import type { ZipContent } from '#evidence/file/archive/zip-content.ts';
import { formatBytes, formatCount } from '#sidekick/format-values.ts';
import { certainFinding, uncertainFinding } from '#sidekick/rule-table.ts';
import type { Declared, Finding } from '#sidekick/sidekick.ts';
import { listFirst, quote, toPlainText } from '#sidekick/words.ts';
import type { RuleCode } from './rules.ts';

const MiB = 1024 * 1024;

/** Unpacked size, and its ratio to the packed size: repetitive sheets of ordinary workbooks stay below 150. */
const bombLimits = { sizeBytes: 100 * MiB, ratio: 200, totalBytes: 4096 * MiB } as const;

const macroPartPath = /(?:^|\/)(?:vbaProject\.bin|vbaData\.xml|(?:intl)?macrosheets\/[^/]+)$/i;
const controlPartPath = /(?:^|\/)activeX\/[^/]+\.(?:bin|xml)$/i;
const embeddedPartPath = /(?:^|\/)embeddings\/[^/]+$/i;
// Charts and slides embed files of these types for their data.
const harmlessEmbeddedFile = /\.(?:xlsx|docx|pptx)$/i;
const harmlessExternalKinds = new Set(['hyperlink', 'image', 'audio', 'video', 'media', 'externallinkpath']);
/** The path of a local file, so that nothing is loaded over the network. */
const localFileTarget = /^(?:file:\/{3})?[a-z]:[\\/]|^(?![\\/]{2})(?![a-z][a-z0-9+.-]*:)/i;

/** Checks the content of an Office package or another zip file. */
export function judgeArchive({ zipContent }: Pick<Evidence, 'zipContent'>, { media }: Declared): Finding<RuleCode>[] {
  const isOffice = media.type.includes('openxmlformats');
  if (zipContent) return [...judgeParts(zipContent), ...judgeStructure(zipContent), ...judgeUnread(zipContent)];
  return isOffice
    ? [
        notVerifiedFinding(
          'directory',
          'The archive directory cannot be read. Save the document again.',
          'No zip directory',
        ),
      ]
    : [];
}

function judgeParts(zip: ZipContent): Finding<RuleCode>[] {
  const names = zip.entries.map(({ name }) => name.replaceAll('\\', '/'));
  const related = (pattern: RegExp) =>
    zip.relationships.filter(({ kind }) => pattern.test(kind)).map((one) => one.target);
  const macros = [
    ...new Set([...names.filter((name) => macroPartPath.test(name)), ...related(/vbaProject|macrosheet/i)]),
  ];
  const controls = names.filter((name) => controlPartPath.test(name));
  const embedded = names.filter((name) => embeddedPartPath.test(name) && !harmlessEmbeddedFile.test(name));
  const external = zip.relationships.filter(
    ({ isExternal, kind, target }) =>
      isExternal && !harmlessExternalKinds.has(kind.toLowerCase()) && !localFileTarget.test(target.trim()),
  );
  const found: Finding<RuleCode>[] = [];
  if (macros.length > 0 || zip.hasMacroContentType) {
    found.push(
      certainFinding('SAFE-OFFICE-MACRO', {
        subject: 'macros',
        summary: `The document contains macros${macros.length > 0 ? `: ${listFirst(macros, quote)}` : ''}. Save it without macros.`,
        severityReasoning: `${formatCount(macros.length, 'macro part')}; ${zip.hasMacroContentType ? 'a' : 'no'} macro content type is declared`,
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

function judgeUnread(zip: ZipContent): Finding<RuleCode>[] {
  const encrypted = zip.entries.filter(({ isEncrypted }) => isEncrypted).length;
  const found: Finding<RuleCode>[] = [];
  if (!zip.isWhole) {
    found.push(
      notVerifiedFinding(
        'directory',
        'The archive directory could be read only in part. Save the file again.',
        `${formatCount(zip.entries.length, 'entry', 'entries')} read`,
      ),
    );
  }
  if (encrypted > 0)
    found.push(
      notVerifiedFinding(
        'encryption',
        'Parts of the file are encrypted and were not checked. Deliver it without encryption.',
        `${formatCount(encrypted, 'entry', 'entries')} encrypted`,
      ),
    );
  else if (zip.unreadParts.length > 0) {
    found.push(
      notVerifiedFinding(
        'parts',
        'Parts of the file could not be read and were not checked. Save the file again.',
        `Not read: ${listFirst(zip.unreadParts, quote)}`,
      ),
    );
  }
  return found;
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

function notVerifiedFinding(subject: string, summary: string, severityReasoning: string): Finding<RuleCode> {
  return uncertainFinding('SAFE-NOT-VERIFIED', { subject: `archive: ${subject}`, summary, severityReasoning });
}

function isBomb({ sizeBytes, compressedBytes }: { sizeBytes: number; compressedBytes: number }): boolean {
  return sizeBytes >= bombLimits.sizeBytes && sizeBytes > bombLimits.ratio * Math.max(1, compressedBytes);
}

function sumOf(entries: ZipContent['entries'], field: 'sizeBytes' | 'compressedBytes'): number {
  return entries.reduce((sum, entry) => sum + entry[field], 0);
}
