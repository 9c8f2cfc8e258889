import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { Finding } from '#sidekick/sidekick.ts';
import { correlationMin, differingShareMax } from './judge-thumbnail.ts';
import { checkTags as check, type TagRow } from './samples/check-tags.ts';

const position = (latitude: string, longitude: string): TagRow[] => [
  ['EXIF', 'GPS', 'GPSLatitude', latitude],
  ['EXIF', 'GPS', 'GPSLongitude', longitude],
];
const ruleCodesOf = (found: Finding[]) => found.map(({ ruleCode }) => ruleCode);
const textOf = (found: Finding[]) =>
  found.map(({ summary, severityReasoning }) => summary + severityReasoning).join(' ');

describe('ExifTool and ffprobe', () => {
  test('produce one finding, which names the ExifTool tag, if both read the same value', () => {
    const found = check(
      [['QuickTime', 'Keys', 'GPSCoordinates', '48.858222 2.294511 35']],
      {},
      {
        location: '+48.858222+002.294511/',
        'location-eng': '+48.858222+002.294511/',
      },
    );
    expect(ruleCodesOf(found)).toEqual(['META-POSITION']);
    expect(found[0]?.summary).toContain('Contains precise GPS coordinates (near 48.9, 2.3) in Keys:GPSCoordinates. ');
  });

  test('each contribute findings: a value that only ffprobe reads is also reported', () => {
    const found = check([], {}, { 'com.apple.quicktime.location.ISO6709': '+48.858222+002.294511/', OWNER: 'Ann' });
    expect(ruleCodesOf(found)).toEqual(['META-POSITION', 'META-PERSON-NAME']);
    expect(found[0]?.summary).toContain('tag com.apple.quicktime.location.ISO6709');
  });

  test('are named with their versions in the severity reasoning, as is the check', () => {
    const [found] = check(position('48.858222', '2.294511'));
    expect(found?.severityReasoning).toContain('ExifTool 12.57, ffprobe 5.1.9; metadata-privacy ');
  });
});

describe('metadata findings', () => {
  test('keep their subject when the value, the tag or the number of tags changes', () => {
    const subjects = (rows: TagRow[]) => check(rows).map(({ ruleCode, subject }) => `${ruleCode} ${subject}`);
    expect(subjects(position('48.858222', '2.294511'))).toEqual(subjects(position('-33.45678', '-70.65432')));
    const author = (...names: string[]): TagRow[] => names.map((name) => ['XMP', 'XMP-dc', 'Creator', name]);
    expect(subjects(author('Ann'))).toEqual(subjects(author('Bob', 'Carl')));
    expect(subjects([['EXIF', 'IFD0', 'Artist', 'Ann']])).toEqual(subjects(author('Ann')));
  });

  test('do not repeat the values that they report', () => {
    const found = check([
      ...position('48.858222', '2.294511'),
      ['EXIF', 'IFD0', 'Artist', 'Annabel Example'],
      ['EXIF', 'ExifIFD', 'SerialNumber', '0123456789'],
      ['XMP', 'XMP-dc', 'Source', 'C:\\Users\\annabel\\a.psd'],
      ['XMP', 'XMP-iptcCore', 'CreatorWorkEmail', 'annabel@example.com'],
      ['XMP', 'XMP-xmpMM', 'DocumentID', 'xmp.did:0a1b2c3d4e5f'],
      ['IPTC', 'IPTC', 'Sub-location', 'Rue Example 7'],
      ['Office', 'core', 'LastModifiedBy', 'Annabel Example'],
    ]);
    expect(found).toHaveLength(8);
    expect(textOf(found)).not.toMatch(/48\.8[5-9]\d|2\.29|annabel|example|123456|0a1b|rue/i);
    expect(textOf(found)).toContain('near 48.9, 2.3');
    expect(textOf(found)).toContain('‘A… E…’');
    expect(textOf(found)).toContain('‘…789’');
  });

  test('explain how to remove the value', () => {
    const summaryOf = (row: TagRow) => check([row])[0]?.summary ?? '';
    expect(summaryOf(['EXIF', 'ExifIFD', 'SerialNumber', '123456'])).toContain('exiftool -ExifIFD:SerialNumber= FILE');
    expect(summaryOf(['Office', 'core', 'LastModifiedBy', 'Ann'])).toContain('Inspect Document');
    expect(summaryOf(['Matroska', 'Matroska', 'Owner', 'Ann'])).toContain('-map_metadata -1');
    expect(summaryOf(['PDF', 'PDF', 'Author', 'Ann'])).toContain('in the program that creates the PDF');
  });

  test('of a GPS track are located from its first to its last position', () => {
    const samples = [{ latitude: 48.858222, longitude: 2.294511, timeMs: 400 }];
    const track = { sampleCount: 7, samples, startMs: 400, endMs: 9000 };
    expect(check([], { track })).toMatchObject([
      {
        ruleCode: 'META-POSITION',
        subject: 'position track',
        locations: [{ kind: 'timeRange', startMs: 400, endMs: 9000 }],
      },
    ]);
    expect(check([], { track })[0]?.summary).toContain(
      'Contains a GPS track with 7 positions from 0:00.40 to 0:09.00, the first one near 48.9, 2.3.',
    );
    expect(check([], { track: { ...track, startMs: null, endMs: null } })).toMatchObject([{ locations: [] }]);
    const withoutFix = { ...track, samples: [{ latitude: 0, longitude: 0, timeMs: 0 }] };
    expect(check([], { track: withoutFix })).toEqual([]);
  });
});

describe('the metadata-privacy check', () => {
  test.each([
    ['48.858', '2', 'META-POSITION', 3],
    ['48.85822', '2.29451', 'META-POSITION', 5],
    ['48.85', '2.294', 'META-POSITION', 3],
    ['48.8582222222', '2.2945', 'META-POSITION', 7],
    ['48.86', '2.29', 'META-POSITION-COARSE', 2],
    ['48.85001', '2.28999', 'META-POSITION-COARSE', 2],
    ['48.8333333333333', '2.3333333', 'META-POSITION-COARSE', 2],
    ['48', '2', 'META-POSITION-COARSE', 0],
  ])('reports the position %s, %s as %s with %d decimals', (latitude, longitude, ruleCode, measured) => {
    expect(check(position(latitude, longitude))).toMatchObject([{ ruleCode, measured, limit: 2, unit: 'decimals' }]);
  });

  test.each([
    ['0', '0'],
    ['95.12345', '2.12345'],
    ['48.12345', '200.12345'],
    ['', '2.12345'],
    ['undef', 'undef'],
  ])('does not read %s, %s as a position', (latitude, longitude) => {
    expect(check(position(latitude, longitude))).toEqual([]);
  });

  test.each([
    ['a version', ['EXIF', 'GPS', 'GPSVersionID', '2 3 0 0']],
    ['a point in the image', ['EXIF', 'ExifIFD', 'SubjectLocation', '12 34']],
    ['numbers in text', ['XMP', 'XMP-dc', 'Description', '48.858222, 2.294511']],
    ['half a position', ['EXIF', 'GPS', 'GPSLatitude', '48.858222']],
  ] as [string, TagRow][])('does not read %s as a position', (_, row) => {
    expect(check([row])).toEqual([]);
  });

  test.each([
    ['+48.858222+002.294511/', 'META-POSITION'],
    ['+48.858222+002.294511+035.000CRSWGS_84/', 'META-POSITION'],
    ['-3351.40-07039.07/', 'META-POSITION'],
    ['+4850+00220/', 'META-POSITION-COARSE'],
    ['+48+002/', 'META-POSITION-COARSE'],
  ])('reads %s as a position in any tag', (value, ruleCode) => {
    expect(ruleCodesOf(check([['XMP', 'XMP-x', 'Note', value]]))).toEqual([ruleCode]);
  });

  test('reports a thumbnail only if it differs from the image beyond the limits', () => {
    const thumbnail = (correlation: number, differingShare: number) =>
      ruleCodesOf(
        check([], {
          thumbnails: [
            {
              name: 'ThumbnailImage',
              width: 160,
              height: 120,
              likeness: { correlation, differingShare },
              reason: null,
            },
          ],
        }),
      );
    expect(thumbnail(correlationMin, 0)).toEqual([]);
    expect(thumbnail(correlationMin - 0.001, 0)).toEqual(['META-THUMBNAIL']);
    expect(thumbnail(1, differingShareMax - 0.001)).toEqual([]);
    expect(thumbnail(1, differingShareMax)).toEqual(['META-THUMBNAIL']);
  });

  test('requires review of metadata that could not be read and of thumbnails that could not be compared', () => {
    const thumbnail = { name: 'ThumbnailImage', width: 160, height: 120, likeness: null, reason: 'damaged' as const };
    const complaints = [{ text: 'File format error', reason: 'damaged' as const }];
    const found = check([], { complaints, hit: ['metadataTags', 'photos'], thumbnails: [thumbnail] });
    expect(found.map(({ subject, notExamined }) => [subject, notExamined?.kind, notExamined?.reason])).toEqual([
      ['metadata', 'metadata', 'damaged'],
      ['size', 'metadata', 'limit_reached'],
      ['photos', 'embedded_file', 'limit_reached'],
      ['thumbnail', 'image', 'damaged'],
    ]);
    expect(found.every(({ ruleCode, isCertain }) => ruleCode === 'META-NOT-VERIFIED' && !isCertain)).toBe(true);
  });

  test('says that a thumbnail exceeds a limit only once', () => {
    const thumbnail = { name: 'PreviewImage', width: 0, height: 0, likeness: null, reason: 'limit_reached' as const };
    const found = check([], { hit: ['thumbnails'], thumbnails: [thumbnail, thumbnail] });
    expect(found).toMatchObject([{ subject: 'thumbnail', notExamined: { reason: 'limit_reached' } }]);
  });

  test('reports a GPS track whose first positions are from a receiver without a fix', () => {
    const at = (latitude: number, longitude: number) => ({ latitude, longitude, timeMs: null });
    const samples = [...Array.from({ length: 5000 }, () => at(0, 0)), at(48.858222, 2.294511)];
    const track = { sampleCount: samples.length, samples, startMs: null, endMs: null };
    expect(ruleCodesOf(check([], { track }))).toEqual(['META-POSITION']);
  });
});

describe('hostile metadata values', () => {
  const notPlain = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/u;
  const names = [
    'Artist',
    'OwnerName',
    'Company',
    'LastModifiedBy',
    'SerialNumber',
    'DocumentID',
    'City',
    'Location',
    'Note',
  ];

  test.each([
    ['control characters', 'Ann\u0000\u0007\u001b[31m /home/ann/\u009b'],
    ['a text direction override', '\u202eAnn\u2066 C:\\Users\\ann\\a'],
    ['lone surrogates', '\ud800Ann\udc00 123456\ud83d'],
    ['100,000 characters', `A${'n'.repeat(100_000)}`],
    ['a very long path', 'C:\\'.repeat(20_000)],
    ['a very long number', '+48'.repeat(20_000)],
  ])('with %s lead to short findings in plain text', (_, value) => {
    const rows = names.flatMap((name): TagRow[] => [
      ['XMP', 'XMP-dc', name, value],
      ['Office', `co\u202ere${value.slice(0, 500)}`, `${name}`, value],
    ]);
    const complaints = [{ text: value, reason: 'damaged' as const }];
    const found = check(rows, { complaints }, { owner: value, [`location${value}`]: value });
    expect(found.length).toBeGreaterThan(0);
    for (const { summary, severityReasoning, subject } of found) {
      expect(summary + severityReasoning + subject).not.toMatch(notPlain);
      expect(summary.length).toBeLessThan(1000);
    }
  });

  test('do not appear in commands that users may paste', () => {
    const [found] = check([['XMP', 'XMP-x`id`', 'OwnerName', 'Ann']]);
    expect(found?.summary).toContain('exiftool -all= FILE');
  });

  test('never cause an exception, a long summary or a summary with control characters', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    const row = fc.tuple(
      fc.constantFrom('EXIF', 'XMP', 'QuickTime', 'MakerNotes', 'Office'),
      text,
      fc.oneof(text, fc.constantFrom(...names, 'GPSLatitude', 'GPSLongitude', 'GPSCoordinates', 'UserDefinedText')),
      fc.oneof(text, fc.constantFrom('48.858222', '+48.858222+002.294511/', '/home/ann/x', '(owner) Ann')),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        for (const { summary } of check(rows)) {
          expect(summary).not.toMatch(notPlain);
          expect(summary.length).toBeLessThan(1000);
        }
      }),
      { numRuns: 300 },
    );
  });
});
