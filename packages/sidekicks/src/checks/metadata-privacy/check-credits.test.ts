import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examineFile } from '@assay/testing/media/examine.ts';
import { samplePath } from '@assay/testing/media/samples.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { severityOf } from '#sidekick/severity.ts';
import type { Rule } from '#sidekick/sidekick.ts';
import { checkTags, type TagRow } from './samples/check-tags.ts';
import { sidekick } from './sidekick.ts';

const ebu = builtInProfile('ebu-r128');

const check = (...rows: TagRow[]) =>
  checkTags(rows).map((finding) => ({
    ...finding,
    severity: severityOf(finding, sidekick.rules[finding.ruleCode] as Rule, ebu),
  }));

describe('a credit', () => {
  test.each<TagRow>([
    ['EXIF', 'IFD0', 'Artist', 'Ann'],
    ['EXIF', 'IFD0', 'XPAuthor', 'Ann'],
    ['XMP', 'XMP-dc', 'Creator', 'Ann'],
    ['IPTC', 'IPTC', 'By-line', 'Ann'],
    ['PNG', 'PNG', 'Author', 'Ann'],
    ['QuickTime', 'Keys', 'Author', 'Ann'],
    ['Matroska', 'Matroska', 'Author', 'Ann'],
  ])('in %s %s:%s is INFO, and the summary does not advise removing it', (...row) => {
    const found = check(row);
    expect(found).toMatchObject([{ ruleCode: 'META-PERSON-NAME', subject: 'author', severity: 'INFO' }]);
    expect(found[0]?.summary).toContain('A credit is usually wanted');
    expect(found[0]?.summary).not.toMatch(/remove|exiftool|ffmpeg/i);
  });

  test.each<TagRow>([
    ['EXIF', 'IFD0', 'Copyright', '© Ann'],
    ['XMP', 'XMP-dc', 'Rights', '© Ann'],
    ['IPTC', 'IPTC', 'Credit', 'Ann / Agency'],
    ['XMP', 'XMP-photoshop', 'Credit', 'Ann / Agency'],
  ])('in %s %s:%s is not reported', (...row) => {
    expect(check(row)).toEqual([]);
  });

  test.each<[string, TagRow]>([
    ['the owner of a camera', ['EXIF', 'ExifIFD', 'OwnerName', 'Ann']],
    ['the writer of a caption', ['IPTC', 'IPTC', 'Writer-Editor', 'Ann']],
    ['a person who is shown', ['XMP', 'XMP-iptcExt', 'PersonInImage', 'Ann']],
    ['the author of an Office file', ['Office', 'core', 'Creator', 'Ann']],
    ['the author of a PDF', ['PDF', 'PDF', 'Author', 'Ann']],
  ])('is not assumed for %s, whose name stays MINOR', (_, row) => {
    expect(check(row)).toMatchObject([{ ruleCode: 'META-PERSON-NAME', severity: 'MINOR' }]);
  });

  test('does not prevent a finding for a private name, and the suggested command removes only that name', () => {
    const found = check(['EXIF', 'IFD0', 'Artist', 'Ann'], ['IPTC', 'IPTC', 'Writer-Editor', 'Bob']);
    expect(found).toMatchObject([{ subject: 'author', severity: 'MINOR', measured: 1 }]);
    expect(found[0]?.summary).toContain('exiftool -IPTC:Writer-Editor= FILE.');
  });

  test('in the XMP of a PDF is reported as the author of the document', () => {
    const found = check(['PDF', 'PDF', 'PDFVersion', '1.7'], ['XMP', 'XMP-dc', 'Creator', 'Ann']);
    expect(found).toMatchObject([{ subject: 'author', severity: 'MINOR' }]);
  });
});

describe('the command that removes metadata other than credits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-credits-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const exiftool = (...args: string[]) =>
    execFileSync('exiftool', ['-q', '-overwrite_original', ...args], { encoding: 'utf8' });

  test('restores the credits if ExifTool removes a whole group', async () => {
    const path = join(folder, 'a.jpg');
    copyFileSync(samplePath('still.jpg'), path);
    const contacts = ['Email', 'Telephone'].map((what) => `-XMP-iptcCore:CreatorWork${what}=1`);
    const places = ['City', 'Sub-location', 'ContentLocationName'].map((name) => `-IPTC:${name}=Here`);
    exiftool(...contacts, ...places, '-XMP-dc:Source=/home/ann/a', '-IPTC:By-line=Ann', '-IPTC:Credit=Agency', path);
    exiftool('-XMP-iptcExt:LocationCreatedCity=Here', '-IPTC:CopyrightNotice=© Ann', path);
    const place = (await examineFile(sidekick, path)).find(({ ruleCode }) => ruleCode === 'META-PLACE-NAME');
    const command = /exiftool (.*) FILE\./.exec(place?.summary ?? '')?.[1]?.split(' ') ?? [];
    expect(command).toContain('-IPTC:all=');
    exiftool(...command, path);
    const left = await examineFile(sidekick, path);
    expect(left.map(({ ruleCode }) => ruleCode)).not.toContain('META-PLACE-NAME');
    expect(exiftool('-s3', '-IPTC:By-line', '-IPTC:Credit', '-IPTC:CopyrightNotice', path)).toBe(
      'Ann\nAgency\n© Ann\n',
    );
  });

  test("restores the credits if ffmpeg removes a container's tags", () => {
    const [owner] = check(['Matroska', 'Matroska', 'Owner', 'Bob'], ['Matroska', 'Matroska', 'Artist', 'Ann']);
    expect(owner?.summary).toContain(
      'ffmpeg -i IN -map 0 -map_metadata -1 -metadata artist=ARTIST -c copy OUT, with the credit from the original as ARTIST.',
    );
    expect(check(['Matroska', 'Matroska', 'Owner', 'Bob'])[0]?.summary).toContain('-map_metadata -1 -c copy OUT.');
  });
});
