import { createHash } from 'node:crypto';
import type { Issue } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { renderReport } from './render-report.ts';
import { createSampleAsset, createSampleReport, failSample } from './samples/sample-report.ts';
import { assetWith, reportOf, textOf } from './samples/small-report.ts';

describe('the content of a report', () => {
  test('every issue appears once, with all its details', () => {
    const report = createSampleReport();
    const page = renderReport(report);
    const text = textOf(page);
    for (const [number, { issues }] of report.assets.entries()) {
      for (const one of issues) {
        const anchor = `a${number + 1}-i${one.referenceNumber}`;
        expect(page.split(`id="${anchor}"`), anchor).toHaveLength(2);
        expect(text).toContain(one.severityReasoningHeadline);
        expect(text).toContain(one.severityReasoning);
        if (one.standard) expect(text).toContain(`${one.standard.name} ${one.standard.clause}`);
        if (one.statusNote) expect(text).toContain(one.statusNote);
      }
    }
    expect(page.match(/<li class="issue/g)).toHaveLength(report.assets.flatMap(({ issues }) => issues).length);
  });

  test('the measured value, limit, location, confidence and status of an issue are shown', () => {
    const text = textOf(
      renderReport(
        reportOf([
          assetWith({
            measured: -17.6,
            limit: -22,
            unit: 'LUFS',
            confidence: 0.7,
            status: 'AWAITING_HUMAN_INPUT',
            locations: [{ kind: 'timeRange', startMs: 62_480, endMs: 3_725_000 }],
          }),
        ]),
      ),
    );
    expect(text).toContain('Measured −17.6 LUFS');
    expect(text).toContain('Limit −22.0 LUFS');
    expect(text).toContain('Confidence 70 %');
    expect(text).toContain('1:02.48 to 1:02:05.00');
    expect(text).toContain('Needs review');
  });

  test.each([
    [1, 'tags', '1 tag'],
    [2, 'tags', '2 tags'],
    [1, '% of the pixels', '1.0 % of the pixels'],
    [2.8, 's', '2.80 s'],
    [-0.04, 'dBTP', '0.0 dBTP'],
    [29.97, 'frames/s', '29.97 frames/s'],
    [1, 'transitions/s', '1 transitions/s'],
    [0.5, null, '0.5'],
    [1_500_000, 'B', '1.5 MB'],
  ])('the measured value %d %s is shown as “%s”', (measured, unit, words) => {
    expect(textOf(renderReport(reportOf([assetWith({ measured, unit })])))).toContain(`Measured ${words} `);
  });

  test('a decision is shown with its reason, time and note, even if it no longer applies', () => {
    const decided = textOf(
      renderReport(
        reportOf([
          assetWith({
            status: 'DISMISSED',
            statusReason: 'creative_intent',
            statusNote: 'The title sequence.',
            statusChangedAt: '2026-11-12T10:05:00.000Z',
          }),
        ]),
      ),
    );
    expect(decided).toMatch(/Dismissed: Creative intent 12 Nov 2026, 10:05 UTC The title sequence\./);
    const previousDecision = {
      submissionId: 's',
      assetId: 'a',
      issueId: 'i',
      versionNumber: 2,
      status: 'DISMISSED' as const,
      reason: 'false_alarm' as const,
      note: 'Nobody sees it.',
      decidedAt: '2026-11-12T10:05:00.000Z',
      notCarriedOverBecause: ['severity' as const, 'extent' as const],
    };
    const reopened = textOf(renderReport(reportOf([assetWith({ previousDecision })])));
    expect(reopened).toMatch(/Dismissed in version 2: False alarm 12 Nov 2026, 10:05 UTC Nobody sees it\./);
    expect(reopened).toContain('Reopened: the severity is higher and the issue covers more of the file.');
  });

  test('a failed asset shows the reason and whether it can be retried', () => {
    const asset = assetWith();
    failSample(asset);
    const text = textOf(renderReport(reportOf([asset, assetWith()])));
    expect(text).toContain('Could not be analysed The file is damaged and cannot be read to its end.');
    expect(text).toContain('2 files: 1 checked, 1 failed.');
    expect(text).toContain('corrupt_media · Retrying will not help');
  });

  test('an asset without issues lists the checks that ran and those that did not', () => {
    const asset = createSampleAsset(1, { filename: 'a.wav', mimeType: 'audio/wav', sizeBytes: 1 }, []);
    const text = textOf(renderReport(reportOf([asset])));
    expect(text).toContain(
      'Loudness No issues Examined: audio track 1 (eng), 30 s Measured: audio track 1 (eng): integrated loudness −17.6 LUFS, true peak 0.8 dBTP 1.0.0 · ebu-r128, revision 2',
    );
    expect(text).toContain('Photosensitivity Not applicable: the file has nothing of the kind');
    expect(text).toContain('None. 5 checks ran and found no issues.');
  });

  test('a dismissed issue is listed as such, but not counted as an issue', () => {
    const text = textOf(renderReport(reportOf([assetWith({}, { status: 'DISMISSED' }), assetWith()])));
    expect(text).toContain('Video and audio quality 1 major issue Examined');
    expect(text).toContain('Issues 1, and 1 resolved or dismissed');
    expect(text).toContain('1 major issue in 1 of 2 files. 1 issue was resolved or dismissed and is not counted.');
  });

  test('filters and timeline show the same counts as the tiles, with closed issues counted separately', () => {
    const minor = { severity: 'MINOR' as const, locations: [{ kind: 'timeRange' as const, startMs: 0, endMs: 1000 }] };
    const page = renderReport(
      reportOf([assetWith({}, minor, { ...minor, status: 'RESOLVED' }, { ...minor, status: 'DISMISSED' })]),
    );
    expect(page).toMatch(/<li class="s-minor"><b>1<\/b>/);
    expect(page).toMatch(/value="MINOR".*?Minor <b>1 \+ 2 closed<\/b>/);
    expect(page).toContain('<span class="scale count">1 + 2 closed</span>');
    expect(page).toMatch(/value="MAJOR".*?Major <b>1<\/b>/);
  });

  test('the number of omitted issues is shown', () => {
    const asset = assetWith({});
    for (const check of asset.result.checks) check.omittedCount = 12;
    expect(textOf(renderReport(reportOf([asset])))).toContain('12 more issues omitted');
  });

  test('a simulated run is never presented as a clean file', () => {
    const asset = assetWith();
    asset.result.issueCount = null;
    asset.result.checks = [];
    const text = textOf(renderReport(reportOf([asset], { mode: 'sandbox' })));
    expect(text).toContain('submitted with a sandbox key and was not analysed');
    expect(text).not.toMatch(/no issues/i);
  });

  test('an unchecked asset is never presented as a clean file', () => {
    const asset = assetWith();
    asset.result.checks = asset.result.checks.map((check) => ({ ...check, outcome: 'not_applicable' }));
    const text = textOf(renderReport(reportOf([asset, assetWith()])));
    expect(text).toContain('Not checked No check was run on this file.');
  });

  test('pages, text and regions of documents are shown, without a timeline', () => {
    const box = { x: 0.1, y: 0.7, width: 0.4, height: 0.08 };
    const page = renderReport(
      reportOf([
        assetWith({
          locations: [
            { kind: 'page', page: 4, box },
            { kind: 'text', text: 'Terms apply' },
          ],
        }),
      ]),
    );
    expect(textOf(page)).toContain('page 4, the bottom left of the page (40 % × 8 % of it)');
    expect(textOf(page)).toContain('“Terms apply”');
    expect(page).not.toContain('<figure class="timeline">');
  });

  test('a still is embedded, has a description, and outlines the region', () => {
    const asset = assetWith({
      locations: [{ kind: 'region', startMs: 1000, endMs: 2000, box: { x: 0.5, y: 0.25, width: 0.1, height: 0.2 } }],
    });
    const one = asset.issues[0] as Issue;
    one.evidence = [
      { kind: 'image', url: '/x', timeMs: 1500 },
      { kind: 'image', url: '/y', timeMs: 9000 },
    ];
    asset.stills[one.id] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4)];
    const page = renderReport(reportOf([asset]));
    expect(page).toContain(
      'src="data:image/jpeg;base64,AQID" alt="Frame at 0:01.50, issue 1: Black. Outlined: the top of the frame (10 % × 20 % of it).',
    );
    expect(page).toContain('x="50%" y="25%" width="10%" height="20%"');
    expect(page.match(/class="outline"/g)).toHaveLength(1);
  });

  test('a still of two frames says in words what each shows, and has no outlines besides its own', () => {
    const asset = assetWith({
      locations: [{ kind: 'region', startMs: 1000, endMs: 2000, box: { x: 0.5, y: 0.25, width: 0.1, height: 0.2 } }],
    });
    const one = asset.issues[0] as Issue;
    const frames = [
      { timeMs: 1540, role: 'light' as const },
      { timeMs: 1500, role: 'dark' as const },
    ];
    one.evidence = [{ kind: 'image', url: '/x', timeMs: 1500, frames }];
    asset.stills[one.id] = [Uint8Array.of(1, 2, 3)];
    const page = renderReport(reportOf([asset]));
    expect(page).toContain('<figcaption>Light at 0:01.54, dark at 0:01.50; what flashes is outlined</figcaption>');
    expect(page).not.toContain('class="outline"');
  });
});

describe('the timeline of a report', () => {
  const videoOf = (...samples: Parameters<typeof assetWith>) => {
    const asset = assetWith(...samples);
    asset.measurements = { assetId: '', submissionId: '', durationMs: 80_000, frameRate: null, series: [] };
    return asset;
  };

  test('a mark is placed at the time of its issue and links to the issue', () => {
    const page = renderReport(
      reportOf([videoOf({ locations: [{ kind: 'timeRange', startMs: 20_000, endMs: 30_000 }] })]),
    );
    expect(page).toMatch(/<a class="mark" href="#a1-i1".*?<rect class="bar" x="25%" width="12.5%"/);
  });

  test('an issue with a region and a time has a mark', () => {
    const page = renderReport(reportOf([videoOf({ locations: [{ kind: 'region', startMs: 40_000, endMs: 40_010 }] })]));
    expect(page).toMatch(/<rect class="bar" x="50%" width="0.013%"/);
  });

  test('a very short event is drawn 5 pixels wide', () => {
    const page = renderReport(
      reportOf([videoOf({ locations: [{ kind: 'timeRange', startMs: 40_000, endMs: 40_000 }] })]),
    );
    expect(page).toMatch(/<rect class="bar" x="50%" width="5"/);
  });

  test('overlapping marks are in separate lanes', () => {
    const at = (startMs: number) => ({ locations: [{ kind: 'timeRange' as const, startMs, endMs: startMs + 10_000 }] });
    const page = renderReport(reportOf([videoOf(at(10_000), at(15_000), at(40_000))]));
    const tops = [...page.matchAll(/<rect class="bar" x="[^"]*" width="12.5%" y="(\d+)"/g)].map(([, y]) => y);
    expect(tops).toEqual(['6', '6', '30']);
  });

  test('the time axis has round ticks and is shared by the measurements', () => {
    const page = renderReport(createSampleReport());
    for (const label of ['0:00', '0:10', '1:30']) expect(page).toContain(`>${label}</text>`);
    for (const row of ['Loudness', 'Silence', 'Brightness', 'Flashes'])
      expect(page).toContain(`aria-label="${row} over time`);
    expect(page).toContain('limit −22.8.');
  });

  test('a series is drawn with every value, and with a gap where a value is missing', () => {
    const asset = videoOf();
    const values = [-5, -5, null, -40, -15];
    asset.measurements?.series.push({ name: 'loudnessShortTerm', unit: 'LUFS', stepMs: 16_000, values });
    const page = renderReport(reportOf([asset]));
    expect(page).toContain('viewBox="-0.5 0 5 200"');
    expect(page).toContain('d="M0 0h1M3 175l1 -125"');
  });
});

describe('hostile text in a report', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&{{}}`;

  test('from file names and issues is rendered as text, not as markup', () => {
    const asset = assetWith({
      summary: hostile,
      ruleCode: hostile,
      severityReasoning: hostile,
      severityReasoningHeadline: hostile,
      statusNote: hostile,
      statusChangedAt: '2026-11-12T10:05:00.000Z',
      unit: hostile,
      measured: 1,
      standard: { name: hostile, clause: hostile, isVerified: false },
      locations: [{ kind: 'text', text: hostile, startMs: 1 }],
      precedents: [{ url: 'javascript:alert(1)', title: hostile, decision: hostile, date: hostile }],
    });
    asset.result.filename = hostile;
    asset.result.mimeType = hostile;
    const other = assetWith();
    failSample(other);
    Object.assign(other.result, { errorMessage: hostile, errorType: hostile });
    const page = renderReport({ ...reportOf([asset, other]), baseUrl: hostile });
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain('<img src=x');
    expect(page).not.toContain('javascript:');
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
  });

  test('with characters that reverse or hide text is shown with their code points', () => {
    const asset = assetWith();
    asset.result.filename = 'invoice\u202efdp.exe\u0000';
    const page = renderReport(reportOf([asset]));
    expect(textOf(page)).toContain('invoice[U+202E]fdp.exe[U+0000]');
    for (const character of ['\u202e', '\u0000']) expect(page).not.toContain(character);
  });

  test('is escaped even if the API returns an object instead of a string', () => {
    const asset = assetWith();
    asset.result.errorMessage = { markup: '<b>', toString: () => '<i>' } as unknown as string;
    asset.result.status = 'failed';
    expect(renderReport(reportOf([asset]))).not.toMatch(/<p><[bi]>/);
  });
});

describe('the HTML page of a report', () => {
  test('has a content security policy that allows only its own style sheet, script and embedded images', () => {
    const page = renderReport(createSampleReport());
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'");
    const hashIn = (tag: string) => {
      const text = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)?.[1] ?? '';
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(policy).toBe(
      `default-src 'none'; style-src ${hashIn('style')}; script-src ${hashIn('script')}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(page).not.toMatch(/\sstyle="|\son\w+="/);
  });

  test('stays below 15 MB with 50 assets that have 100 issues each', () => {
    const values = Array.from({ length: 2000 }, (_, i) => -20 + 10 * Math.sin(i * i));
    const assets = Array.from({ length: 50 }, () => {
      const asset = assetWith(
        ...Array.from({ length: 100 }, (_, i) => ({
          locations: [{ kind: 'timeRange' as const, startMs: i * 100, endMs: i * 100 + 50 }],
        })),
      );
      const names = ['loudnessMomentary', 'loudnessShortTerm', 'soundLevel'] as const;
      asset.measurements = {
        assetId: '',
        submissionId: '',
        durationMs: 20_000,
        frameRate: null,
        series: names.map((name) => ({ name, unit: '', stepMs: 10, values })),
      };
      return asset;
    });
    const page = renderReport(reportOf(assets));
    expect(page.length).toBeLessThan(15e6);
    expect(page).toContain('Show 75 more issues');
  });
});
