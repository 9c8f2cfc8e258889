import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../../test/support/browser.ts';
import { renderReport } from './render-report.ts';
import { createSampleAsset, createSampleReport } from './samples/sample-report.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const browser: Browser = await launchBrowser();
afterAll(() => browser.close());

const report = createSampleReport(await drawnStills(browser));
const page = renderReport(report);
const findings = report.assets.flatMap(({ issues }) => issues);

async function open(options: BrowserContextOptions = {}, markup = page): Promise<Page> {
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
  ] as const)('breaks no rule of accessibility: %s, %i pixels wide', async (colorScheme, width) => {
    const tab = await open({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    await tab.addScriptTag({ path: axePath });
    const violations = await tab.evaluate(
      `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
    );
    expect(violations).toEqual([]);
    expect(await tab.evaluate('document.documentElement.scrollWidth'), 'no need to scroll sideways').toBe(width);
    await tab.context().close();
  });

  test('asks nobody for anything, and its own policy finds nothing to complain of', async () => {
    const context = await browser.newContext();
    const tab = await context.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    tab.on('request', (request) => asked.push(request.url().slice(0, 40)));
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(error.message));
    await context.route('https://report.test/', (route) => route.fulfill({ contentType: 'text/html', body: page }));
    await tab.goto('https://report.test/');
    await tab.locator('.filters button').first().click();
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual(['https://report.test/']);
    expect(complaints).toEqual([]);
    const isDrawn = 'complete && naturalWidth > 0';
    expect(await tab.evaluate(`[...document.images].every(({ complete, naturalWidth }) => ${isDrawn})`)).toBe(true);
    // Were the policy off, this would run.
    expect(
      await tab.evaluate(
        `(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); return window.ran; })()`,
      ),
    ).toBeUndefined();
    await context.close();
  });

  test('the buttons hide and show the findings and marks of a severity, and say so', async () => {
    const tab = await open();
    const button = tab.getByRole('button', { name: /^Major/ });
    const cards = tab.locator('.finding:visible');
    const marks = tab.locator('.lane.s-major:visible');
    const majors = findings.filter(({ severity }) => severity === 'MAJOR').length;
    expect([await cards.count(), await marks.count()]).toEqual([findings.length, 1]);
    await button.click();
    expect([await cards.count(), await marks.count()]).toEqual([findings.length - majors, 0]);
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    expect(await tab.getByRole('status').textContent()).toBe(
      `Showing ${findings.length - majors} of ${findings.length} findings`,
    );
    await button.press('Enter');
    expect(await cards.count()).toBe(findings.length);
    await tab.context().close();
  });

  test('a mark leads to its finding, by mouse and by keyboard', async () => {
    const tab = await open();
    await tab.getByRole('link', { name: 'Finding 3, major, LOUD-TRUE-PEAK, 0:33.4 to 0:33.5' }).focus();
    await tab.keyboard.press('Enter');
    expect(await tab.evaluate('document.querySelector(":target").id')).toBe('a1-f3');
    await tab.locator('.mark[href="#a1-f1"] .bar').first().click();
    expect(await tab.evaluate('document.querySelector(":target").id')).toBe('a1-f1');
    await tab.context().close();
  });

  test('a link into a folded part opens it', async () => {
    const tab = await open({}, longPage());
    const card = tab.locator('#a1-f40');
    expect(await card.isVisible()).toBe(false);
    await tab.evaluate('location.hash = "a1-f40"');
    await card.waitFor({ state: 'visible', timeout: 5000 });
    await tab.context().close();
  });

  test('without script everything is there to be read, and no dead button', async () => {
    const tab = await open({ javaScriptEnabled: false });
    expect(await tab.locator('.finding:visible').count()).toBe(findings.length);
    expect(await tab.locator('button:visible').count()).toBe(0);
    await tab.context().close();
  });

  test.each([true, false])('on paper every finding is there, folded or not (script: %s)', async (javaScriptEnabled) => {
    const tab = await open({ javaScriptEnabled, colorScheme: 'dark' }, longPage());
    const pdf = (await tab.pdf({ preferCSSPageSize: true, tagged: true, outline: true })).toString('latin1');
    // The outline of a PDF names every heading that is on its pages, each with the page it is on.
    const titles = [...pdf.matchAll(/\/Title \((.*?)\)/g)].map(([, title]) => title);
    expect(titles.filter((title) => title?.startsWith('Finding number'))).toHaveLength(60);
    await tab.context().close();
  });

  test('paper is white, whatever the screen is, and shows no buttons', async () => {
    const tab = await open({ colorScheme: 'dark' });
    await tab.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const part of ['body', '.masthead', '.finding']) {
      const colour = await tab.evaluate(`getComputedStyle(document.querySelector('${part}')).backgroundColor`);
      expect(colour, part).toBe('rgb(255, 255, 255)');
    }
    expect(await tab.locator('.filters:visible').count()).toBe(0);
    await tab.context().close();
  });
});

/** More findings than are shown unfolded. */
function longPage(): string {
  const said = Array.from({ length: 60 }, (_, i) => ({
    sidekick: 'quality' as const,
    ruleCode: 'QC-BLACK',
    severity: i % 2 ? ('MINOR' as const) : ('MAJOR' as const),
    summary: `Finding number ${i + 1}.`,
    severityReasoning: 'Measured.',
    severityReasoningHeadline: 'It matters.',
    locations: [{ kind: 'timeRange' as const, startMs: i * 1000, endMs: i * 1000 + 400 }],
  }));
  const named = { filename: 'long.mp4', mimeType: 'video/mp4', sizeBytes: 1 };
  return renderReport({ ...report, assets: [createSampleAsset(1, named, said)] });
}

/** Two pictures, a bright and a dark one. */
async function drawnStills(drawer: Browser): Promise<(timeMs: number) => Uint8Array> {
  const tab = await drawer.newPage();
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
