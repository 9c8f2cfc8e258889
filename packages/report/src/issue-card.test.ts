import type { Issue } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { renderReport } from './render-report.ts';
import type { Report } from './report.ts';
import { createSampleReport } from './samples/sample-report.ts';

function videoReport(change: (issue: Issue) => void = () => {}): Report {
  const report = createSampleReport();
  for (const issue of report.assets[0]?.issues ?? []) change(issue);
  return { ...report, assets: report.assets.slice(0, 1), rejected: [] };
}

const cardOf = (page: string, number: number) => {
  const from = page.indexOf(`<li class="issue`, page.indexOf(`id="a1-i${number}"`) - 60);
  return page.slice(from, page.indexOf('</article>', from));
};

describe('a report’s list of checks', () => {
  const tileOf = (page: string, name: string) =>
    page
      .match(/<ul class="checks">.*?<\/ul>/s)?.[0]
      .match(new RegExp(`<li[^>]*>(?:(?!<li).)*<b>${name}</b>.*?</li>`))?.[0];
  const tick = 'class="tick"';

  test('shows the number of open issues in the colour of the worst one, and no tick, for a check with open issues', () => {
    const tile = tileOf(renderReport(videoReport()), 'Loudness');
    expect(tile).toContain('<span class="badge-count s-major" aria-hidden="true">2</span>');
    expect(tile).toContain('2 major issues');
    expect(tile).not.toContain(tick);
  });

  test('shows no tick for a check whose issues are all closed', () => {
    const closed = videoReport((issue) => {
      issue.status = 'DISMISSED';
    });
    const tile = tileOf(renderReport(closed), 'Loudness');
    expect(tile).toContain('No open issues, 2 closed');
    expect(tile).not.toContain(tick);
  });

  test('shows a tick for a check without issues', () => {
    expect(tileOf(renderReport(videoReport()), 'File safety')).toContain(tick);
  });
});

describe('the locations of an issue', () => {
  test('have timecodes beside the times if the frame rate is known, including in stills and marks', () => {
    const page = renderReport(videoReport());
    const span = '0:47.00 to 0:49.80 (00:00:47:00 to 00:00:49:20)';
    expect(cardOf(page, 4)).toContain(`<li>${span}</li>`);
    expect(cardOf(page, 4)).toContain('<figcaption>Frame at 0:48.40 (00:00:48:10)</figcaption>');
    expect(page).toContain(`<title>Issue 4, major, QC-BLACK, ${span}</title>`);
  });

  test('are shown as times without timecodes if the file has no frame rate', () => {
    const report = videoReport();
    Object.assign(report.assets[0]?.measurements ?? {}, { frameRate: null });
    expect(cardOf(renderReport(report), 4)).toContain('<li>0:47.00 to 0:49.80</li>');
  });

  test.each([
    [6, 0, undefined],
    [10, 4, undefined],
    [98, 92, 'and 88 more'],
  ])(
    'when there are %i, include %i collapsed ones, and the printed page says how many it omits',
    (count, foldedCount, unprinted) => {
      const locations = Array.from({ length: count }, (_, i) => ({ kind: 'timeRange' as const, startMs: i * 900 }));
      const card = cardOf(renderReport(videoReport((issue) => Object.assign(issue, { locations }))), 4);
      const folded = card.match(/<details class="places">.*?<\/details>/s)?.[0] ?? '';
      expect(folded.match(/<li>/g)?.length ?? 0).toBe(foldedCount);
      expect(/<p class="unprinted">(.*?)<\/p>/.exec(card)?.[1]).toBe(unprinted);
    },
  );
});
