import { createRequire } from 'node:module';
import { launchBrowser } from '@assay/testing/run/browser.ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { renderReport } from './render-report.ts';
import { createSampleAsset, createSampleReport, judgeSamples } from './samples/sample-report.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const browser: Browser = await launchBrowser();
afterAll(() => browser.close());

const report = createSampleReport(await drawStills(browser));
const page = renderReport(report);
const issues = report.assets.flatMap(({ issues }) => issues);

async function openPage(options: BrowserContextOptions = {}, markup = page): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const tab = await context.newPage();
  await tab.setContent(markup);
  return tab;
}

describe('a report in a browser', () => {
  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
    ['dark', 320],
  ] as const)(
    'meets the accessibility rules of axe in the %s colour scheme at a width of %i pixels',
    async (colorScheme, width) => {
      const tab = await openPage({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      await tab.addScriptTag({ path: axePath });
      const violations = await tab.evaluate(
        `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
      );
      expect(violations).toEqual([]);
      expect(await tab.evaluate('document.documentElement.scrollWidth'), 'no horizontal scrolling').toBe(width);
      await tab.context().close();
    },
  );

  test.each([1280, 390, 320])(
    'keeps the timeline labels within their frame in a window %i pixels wide',
    async (width) => {
      const tab = await openPage({ viewport: { width, height: 900 } });
      const outside = await tab.evaluate(
        `[...document.querySelectorAll('.timeline')].flatMap((frame) => {
        const right = frame.getBoundingClientRect().right - parseFloat(getComputedStyle(frame).paddingRight);
        const isOutside = (label) => { const range = document.createRange(); range.selectNodeContents(label); return range.getBoundingClientRect().right > right; };
        return [...frame.querySelectorAll('.scale text, .scale.count')].filter(isOutside).map((label) => label.textContent);
      })`,
      );
      expect(outside).toEqual([]);
      await tab.context().close();
    },
  );

  test('makes no requests and does not violate its own content security policy', async () => {
    const context = await browser.newContext();
    const tab = await context.newPage();
    const requested: string[] = [];
    const violations: string[] = [];
    tab.on('request', (request) => requested.push(request.url().slice(0, 40)));
    tab.on('console', (message) => violations.push(message.text()));
    tab.on('pageerror', (error) => violations.push(error.message));
    await context.route('https://report.test/', (route) => route.fulfill({ contentType: 'text/html', body: page }));
    await tab.goto('https://report.test/');
    await tab.locator('.filters button').first().click();
    expect(requested.filter((url) => !url.startsWith('data:'))).toEqual(['https://report.test/']);
    expect(violations).toEqual([]);
    const isDrawn = 'complete && naturalWidth > 0';
    expect(await tab.evaluate(`[...document.images].every(({ complete, naturalWidth }) => ${isDrawn})`)).toBe(true);
    // Without the content security policy, this script would run.
    expect(
      await tab.evaluate(
        `(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); return window.ran; })()`,
      ),
    ).toBeUndefined();
    await context.close();
  });

  test('has buttons that hide and show the issues and timeline marks of a severity, and announce the change', async () => {
    const tab = await openPage();
    const button = tab.getByRole('button', { name: /^Major/ });
    const cards = tab.locator('.issue:visible');
    const marks = tab.locator('.lane.s-major:visible');
    const majors = issues.filter(({ severity }) => severity === 'MAJOR').length;
    expect([await cards.count(), await marks.count()]).toEqual([issues.length, 1]);
    await button.click();
    expect([await cards.count(), await marks.count()]).toEqual([issues.length - majors, 0]);
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    expect(await tab.getByRole('status').textContent()).toBe(
      `Showing ${issues.length - majors} of ${issues.length} issues`,
    );
    await button.press('Enter');
    expect(await cards.count()).toBe(issues.length);
    await tab.context().close();
  });

  test('hides the files without an issue of the shown severities, but none that was not checked', async () => {
    const tab = await openPage();
    for (const name of [/^Critical/, /^Major/, /^Minor/]) await tab.getByRole('button', { name }).click();
    const withInfo = report.assets.filter(({ issues: own }) => own.some(({ severity }) => severity === 'INFO')).length;
    const uncheckedCount = report.assets.filter(({ result }) => result.status === 'failed').length;
    expect(await tab.locator('.asset:visible').count()).toBe(withInfo + uncheckedCount);
    const rows = tab.locator('.summary tbody tr:not(.reasons):visible');
    expect(await rows.count()).toBe(withInfo + uncheckedCount + report.rejected.length);
    await tab.context().close();
  });

  test('keeps the results of files with long names readable', async () => {
    const long = createSampleReport();
    const result = long.assets[0]?.result ?? {};
    Object.assign(result, { filename: `${'long_name_of_a_master_'.repeat(9)}.mp4` });
    const tab = await openPage({ viewport: { width: 1000, height: 900 } }, renderReport(long));
    const width = await tab.evaluate(`document.querySelector('.summary td').getBoundingClientRect().width`);
    expect(width).toBeGreaterThan(200);
    await tab.context().close();
  });

  test('prints 35 ordinary files, three of which failed, on at most 15 pages', async () => {
    const info = { severity: 'INFO', ruleCode: 'QC-VFR', sidekick: 'quality', summary: 'Varying frame rate.' } as const;
    const texts = { severityReasoning: 'Measured.', severityReasoningHeadline: 'It matters.' };
    const ordinary = Array.from({ length: 32 }, (_, i) =>
      createSampleAsset(i + 9, { filename: `file-${i}.mp4`, mimeType: 'video/mp4', sizeBytes: 1 }, [
        { ...info, ...texts },
      ]),
    );
    const many = judgeSamples({ ...report, assets: [...report.assets.slice(0, 3), ...ordinary], rejected: [] });
    const tab = await openPage({}, renderReport(many));
    const pdf = (await tab.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(15);
    await tab.context().close();
  });

  test('has timeline marks that link to their issues, by mouse and by keyboard', async () => {
    const tab = await openPage();
    await tab.getByRole('link', { name: 'Issue 3, major, LOUD-TRUE-PEAK, 0:33.40 to 0:33.50' }).focus();
    await tab.keyboard.press('Enter');
    expect(await tab.evaluate('document.querySelector(":target").id')).toBe('a1-i3');
    await tab.locator('.mark[href="#a1-i1"] .bar').first().click();
    expect(await tab.evaluate('document.querySelector(":target").id')).toBe('a1-i1');
    await tab.context().close();
  });

  test('expands a collapsed section that contains a link’s target', async () => {
    const tab = await openPage({}, renderLongPage());
    const card = tab.locator('#a1-i40');
    expect(await card.isVisible()).toBe(false);
    await tab.evaluate('location.hash = "a1-i40"');
    await card.waitFor({ state: 'visible', timeout: 5000 });
    await tab.context().close();
  });

  test('shows every issue and no filter buttons if scripts are disabled', async () => {
    const tab = await openPage({ javaScriptEnabled: false });
    expect(await tab.locator('.issue:visible').count()).toBe(issues.length);
    expect(await tab.locator('button:visible').count()).toBe(0);
    await tab.context().close();
  });

  test.each([true, false])(
    'prints every issue, even if it is collapsed (scripts enabled: %s)',
    async (javaScriptEnabled) => {
      const tab = await openPage({ javaScriptEnabled, colorScheme: 'dark' }, renderLongPage());
      const pdf = (await tab.pdf({ preferCSSPageSize: true, tagged: true, outline: true })).toString('latin1');
      // The outline of the PDF contains every heading that is printed.
      const titles = [...pdf.matchAll(/\/Title \((.*?)\)/g)].map(([, title]) => title);
      expect(titles.filter((title) => title?.startsWith('Issue number'))).toHaveLength(60);
      await tab.context().close();
    },
  );

  test.each([true, false])(
    'prints the first ten locations of an issue and how many remain (scripts enabled: %s)',
    async (hasScript) => {
      const crowded = createSampleReport();
      const issue = crowded.assets[0]?.issues[3];
      if (!issue) throw new Error('the sample has no fourth issue');
      issue.locations = Array.from({ length: 98 }, (_, i) => ({ kind: 'timeRange', startMs: i * 900 }));
      const tab = await openPage({ javaScriptEnabled: hasScript }, renderReport(crowded));
      const places = tab.locator('#a1-i4 .location li:visible');
      const left = tab.locator('#a1-i4 .unprinted:visible');
      expect([await places.count(), await left.count()]).toEqual([6, 0]);
      await tab.emulateMedia({ media: 'print' });
      expect([await places.count(), await left.allTextContents()]).toEqual([10, ['and 88 more']]);
      await tab.context().close();
    },
  );

  test('is printed on a white background and without buttons, even in the dark colour scheme', async () => {
    const tab = await openPage({ colorScheme: 'dark' });
    await tab.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const part of ['body', '.masthead', '.issue']) {
      const colour = await tab.evaluate(`getComputedStyle(document.querySelector('${part}')).backgroundColor`);
      expect(colour, part).toBe('rgb(255, 255, 255)');
    }
    expect(await tab.locator('.filters:visible').count()).toBe(0);
    await tab.context().close();
  });
});

/** A page with so many issues that some are collapsed. */
function renderLongPage(): string {
  const samples = Array.from({ length: 60 }, (_, i) => ({
    sidekick: 'quality' as const,
    ruleCode: 'QC-BLACK',
    severity: i % 2 ? ('MINOR' as const) : ('MAJOR' as const),
    summary: `Issue number ${i + 1}.`,
    severityReasoning: 'Measured.',
    severityReasoningHeadline: 'It matters.',
    locations: [{ kind: 'timeRange' as const, startMs: i * 1000, endMs: i * 1000 + 400 }],
  }));
  const named = { filename: 'long.mp4', mimeType: 'video/mp4', sizeBytes: 1 };
  return renderReport({ ...report, assets: [createSampleAsset(1, named, samples)] });
}

/** Draws a bright and a dark still, and returns a function that selects one of them. */
async function drawStills(browserToDraw: Browser): Promise<(timeMs: number) => Uint8Array> {
  const tab = await browserToDraw.newPage();
  const draw = async (colour: string) => {
    const url = await tab.evaluate(
      `(() => { const c = document.createElement('canvas'); c.width = 64; c.height = 36; const x = c.getContext('2d'); x.fillStyle = '${colour}'; x.fillRect(0, 0, 64, 36); return c.toDataURL('image/jpeg'); })()`,
    );
    return Buffer.from(String(url).split(',')[1] ?? '', 'base64');
  };
  const [bright, dark] = [await draw('white'), await draw('black')];
  await tab.close();
  return (timeMs) => (timeMs % 1000 ? bright : dark);
}
