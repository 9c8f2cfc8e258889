import type { Check } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { renderReport } from './render-report.ts';
import { createSampleAsset, createSampleReport, judgeSamples } from './samples/sample-report.ts';

const sampleFile = { filename: 'a.mp4', mimeType: 'video/mp4', sizeBytes: 1000 };

/** The tile of the check in a report on a video without issues, after this change to the check. */
function tileOf(name: string, change: (check: Check) => void, allowIncomplete: string[] = []): string {
  const sample = createSampleReport();
  const asset = createSampleAsset(1, sampleFile, []);
  const check = asset.result.checks.find(({ sidekickName }) => sidekickName === name) as Check;
  change(check);
  if (sample.submission) sample.submission.profile.allowIncomplete = allowIncomplete;
  const page = renderReport(judgeSamples({ ...sample, assets: [asset], rejected: [] }));
  const tiles = [...page.matchAll(/<li[^>]*>(?:(?!<li).)*?<b>([^<]*)<\/b>.*?<\/li>/gs)];
  return tiles.find(([, found]) => found === name)?.[0] ?? '';
}

const isTicked = (tile: string) => tile.includes('class="tick"');
const notExamined = [
  { kind: 'frames', label: 'frames that cannot be decoded', reason: 'damaged', share: 0.37 },
  { kind: 'audio_stream', label: 'audio track 2 (fra)', reason: 'a_newer_reason', share: null },
];

describe('a check in a report', () => {
  test('that examined everything has a tick and says what it examined', () => {
    const tile = tileOf('Loudness', () => {});
    expect(isTicked(tile)).toBe(true);
    expect(tile).toContain('Examined: audio track 1 (eng), 90 s');
  });

  test('to which the profile gives nothing to check has no tick and says so', () => {
    const tile = tileOf('Delivery specification', () => {});
    expect(isTicked(tile)).toBe(false);
    expect(tile).toContain('Nothing to check: the profile sets no expectations');
    expect(tile).not.toContain('No issues');
  });

  test('that is incomplete has no tick and lists what it did not examine, and why', () => {
    const tile = tileOf('Photosensitivity', (check) => {
      check.outcome = 'incomplete';
      check.coverage = { examined: check.coverage?.examined ?? [], notExamined };
    });
    expect(isTicked(tile)).toBe(false);
    expect(tile).toContain('class="missing">Incomplete</span>');
    expect(tile).toContain(
      '<b>Not examined:</b> frames that cannot be decoded, 37.0 %: damaged or incomplete; audio track 2 (fra): a newer reason',
    );
    expect(tile).toContain('Examined: video track 1, 2,250 frames');
  });

  test('says that the delivery profile allows it to be incomplete', () => {
    const change = (check: Check) => Object.assign(check, { outcome: 'incomplete' });
    expect(tileOf('Photosensitivity', change, ['photosensitivity'])).toContain(
      'Incomplete, which the delivery profile',
    );
  });

  test('of a service that records no coverage has no tick', () => {
    const tile = tileOf('Loudness', (check) => Object.assign(check, { coverage: undefined, reason: undefined }));
    expect(isTicked(tile)).toBe(false);
    expect(tile).toContain('What was examined is not recorded');
    const other = tileOf('Delivery specification', (check) => Object.assign(check, { reason: undefined }));
    expect(other).toContain('Not applicable to this file');
  });

  test('with an outcome that this version does not know counts as incomplete', () => {
    const tile = tileOf('Loudness', (check) => Object.assign(check, { outcome: 'postponed' }));
    expect(isTicked(tile)).toBe(false);
    expect(tile).toContain('Incomplete');
  });

  test('lists up to six examined things and counts the rest', () => {
    const examined = Array.from({ length: 9 }, (_, i) => ({
      kind: 'audio_stream',
      label: `audio track ${i + 1}`,
      quantity: null,
      unit: null,
    }));
    const tile = tileOf('Loudness', (check) => Object.assign(check, { coverage: { examined, notExamined: [] } }));
    expect(tile).toContain('audio track 6; 3 more');
    expect(tile).not.toContain('audio track 7');
  });
});
