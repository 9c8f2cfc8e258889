import { describe, expect, test } from 'vitest';
import { renderReport } from '../render-report.ts';
import { createSampleAsset, failSample } from '../samples/sample-report.ts';
import { assetWith, reportOf, sampleFile, sampleIssue, textOf } from '../samples/small-report.ts';

describe('a file in a report', () => {
  test('has its technical facts, and a still as its poster', () => {
    const asset = assetWith();
    asset.poster = Uint8Array.of(1, 2, 3);
    const page = renderReport(reportOf([asset]));
    expect(page).toContain('<img class="poster" src="data:image/jpeg;base64,AQID" alt="Still of a.mp4">');
    expect(textOf(page)).toContain(
      'Format MP4, video/mp4, 1 kB Duration 1:30.00 Bit rate 16.4 Mbit/s Video H.264 High, 1920 × 1080, 25 fps, progressive, 4:2:0 8 bit, 16.1 Mbit/s Audio AAC LC, 2 channels (stereo), 48 kHz, 320 kbit/s, eng Captions 3GPP timed text, eng',
    );
  });

  test('of a service that sends no technical facts has its type and size', () => {
    const asset = assetWith();
    Object.assign(asset.result, { media: undefined });
    asset.poster = undefined;
    const page = renderReport(reportOf([asset]));
    expect(textOf(page)).toContain('Format video/mp4, 1 kB Version 3');
    expect(page).not.toContain('<img');
  });

  test('says what was not examined and by which checks, each part once', () => {
    const asset = assetWith();
    const part = { kind: 'audio_stream', label: 'audio track 2 (fra)', reason: 'unsupported', share: null };
    for (const check of asset.result.checks.filter(({ shortName }) => /^(loudness|captions)$/.test(shortName)))
      Object.assign(check, { outcome: 'incomplete', coverage: { examined: [], notExamined: [part] } });
    expect(textOf(renderReport(reportOf([asset])))).toContain(
      'What was not examined Audio track 2 (fra): this version cannot read it. Not examined by Loudness and Captions.',
    );
  });
});

describe('a report on many files', () => {
  const passed = (number: number) =>
    createSampleAsset(number, { ...sampleFile, filename: `good-${number}.mp4` }, [
      { ...sampleIssue, severity: 'INFO' },
    ]);
  const manyFiles = () => {
    const assets = Array.from({ length: 34 }, (_, i) => passed(i + 1));
    const bad = assetWith({}, { severity: 'INFO', summary: 'A detail.' });
    bad.result.filename = 'bad.mp4';
    return [...assets, bad];
  };

  test('names the files that failed and their issues first, and those that passed last', () => {
    const page = renderReport(reportOf(manyFiles()));
    const text = textOf(page);
    expect(text).toContain('Files 1 failed 34 passed File Result Critical Major Minor Info bad.mp4 Failed 2 issues');
    expect(text).toContain('#1 Major QC-BLACK Black. good-1.mp4 Passed');
    expect(page.indexOf('id="a35"')).toBeLessThan(page.indexOf('id="a1"'));
  });

  test('shows files that failed before those that need review, were not checked, and passed with waivers', () => {
    const notChecked = assetWith();
    failSample(notChecked);
    const decided = { status: 'DISMISSED', statusChangedAt: '2026-11-12T10:05:00.000Z' } as const;
    const files = [assetWith(decided), notChecked, assetWith({ status: 'AWAITING_HUMAN_INPUT' }), assetWith({})];
    const sections = [...renderReport(reportOf(files)).matchAll(/class="asset" id="(a\d)"/g)].map(([, id]) => id);
    expect(sections).toEqual(['a4', 'a3', 'a2', 'a1']);
  });

  test('lists files that passed, and issues without effect on the verdict, in a line each', () => {
    const page = renderReport(reportOf(manyFiles()));
    expect(page.match(/class="asset short"/g)).toHaveLength(34);
    expect(page).toMatch(/Without effect on the verdict:.*?#2<\/a>.*?A detail\./s);
    expect(page.match(/<li class="issue/g), 'the details of all of them').toHaveLength(36);
  });
});
