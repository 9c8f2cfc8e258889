import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { refusals } from '@assay/contract/refusals.ts';
import { routeNames } from '@assay/contract/routes.ts';
import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { launchBrowser } from '@assay/testing/run/browser.ts';
import { openTestApi } from '@assay/testing/service/api.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { buildSite } from './built-site.ts';
import { deadLinksOf, externalLinksOf, linksOf } from './dead-links.ts';

const site = buildSite();
const api = await openTestApi({ DOCS_DIR: site.folder });
const browser: Browser = await launchBrowser();
afterAll(() => browser.close());
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const readPage = (pathname: string) => readFileSync(site.fileAt(pathname) as string, 'utf8');

describe('the documentation site', () => {
  test('has no broken internal links or anchors', () => {
    expect(deadLinksOf(site)).toEqual([]);
  });

  test('linksOf finds links in HTML, and fileAt returns no file for a missing page', () => {
    const links = linksOf('/docs/', '<a href="/docs/nowhere">x</a><a href="#gone">y</a>');
    expect(links.map(({ to }) => to)).toEqual(['/docs/nowhere', '#gone']);
    expect(site.fileAt('/docs/nowhere')).toBeUndefined();
  });

  test('links only to the expected external sites', () => {
    const sources = builtInProfiles.flatMap((name) => findDataFile(name)?.sources ?? []);
    const expected = [
      'https://www.standardwebhooks.com',
      'https://github.com/versity/versitygw',
      'https://github.com/nodejs/node/issues/52585',
      'https://docs.temporal.io/self-hosted-guide/production-checklist',
      'https://learn.microsoft.com/en-us/azure/storage/common/scalability-targets-standard-account',
      'https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html',
      ...sources.flatMap(({ url }) => url ?? []),
    ];
    expect(externalLinksOf(site).toSorted()).toEqual([...new Set(expected)].toSorted());
  });

  test.each([...Object.keys(refusals), 'tier_not_authorized_for_integrations_api', 'rate_limited'])(
    'the error %s has a page that names it',
    (code) => {
      expect(readPage(`/docs/errors/${code}`)).toContain(`>${code}</code>`);
    },
  );

  test('an error’s type is the URL of the page that explains it', async () => {
    const { body } = await api.client().get('/me');
    const page = await fetch(new URL(body.type, api.url));
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('>missing_api_key</code>');
  });

  test.each(['/docs/nowhere', '/docs/..%2f..%2fpackage.json'])(
    'the service returns 404 with an HTML page for %s',
    async (path) => {
      const { status, headers } = await fetch(`${api.url}${path}`);
      expect([status, headers.get('content-type')]).toEqual([404, expect.stringContaining('text/html')]);
    },
  );

  test('/docs redirects to /docs/', async () => {
    expect((await fetch(`${api.url}/docs`)).url).toBe(`${api.url}/docs/`);
  });

  test('the reference describes every endpoint', () => {
    const reference = site.pages
      .filter((page) => page.startsWith('/docs/reference/'))
      .map(readPage)
      .join('\n');
    expect(routeNames.filter((name) => !reference.includes(`id="${name.toLowerCase()}"`))).toEqual([]);
  });

  test('llms.txt lists every page, and llms-full.txt has more headings than there are guides', () => {
    const listed = readPage('/docs/llms.txt');
    const missing = site.pages.filter((page) => page !== '/docs/' && !listed.includes(`](${page})`));
    expect(missing).toEqual([]);
    const guides = site.pages.filter((page) => page.startsWith('/docs/guides/'));
    const full = readPage('/docs/llms-full.txt')
      .split('\n')
      .filter((line) => line.startsWith('# '));
    expect(full.length).toBeGreaterThan(guides.length);
  });
});

const pageKinds = [
  '/docs/',
  '/docs/quickstart',
  '/docs/concepts',
  '/docs/accuracy',
  '/docs/guides/webhooks',
  '/docs/errors/validation_failed',
  '/docs/reference/uploads',
  '/docs/reference/events',
  '/docs/limits',
  '/docs/sidekicks/photosensitivity',
  '/docs/profiles/',
  '/docs/profiles/uk-dpp-as11',
  '/docs/operate/configuration',
  '/docs/decisions/0017-lifecycle',
  '/docs/no-such-page',
];

const isEveryScreen = process.env.SCREENS === 'all';
/** Half of the page kinds on each of two screens; with `SCREENS=all`, every kind on every screen. */
const widthsBy = isEveryScreen ? { light: [1280, 390], dark: [1280, 390] } : { light: [1280], dark: [390] };
const pageKindsBy = {
  light: pageKinds.filter((_, i) => isEveryScreen || i % 2 === 0),
  dark: pageKinds.filter((_, i) => isEveryScreen || i % 2 === 1),
};

describe.each(['light', 'dark'] as const)('the documentation pages in the %s colour scheme', (colorScheme) => {
  test.each(widthsBy[colorScheme])(
    'are accessible, fit the screen and load nothing from other sites at a width of %i pixels',
    async (width) => {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      });
      const found: unknown[] = [];
      for (const path of pageKindsBy[colorScheme]) {
        const page = await context.newPage();
        page.on('request', (request) => {
          if (!request.url().startsWith(api.url)) found.push({ path, elsewhere: request.url() });
        });
        page.on('pageerror', (error) => found.push({ path, error: error.message }));
        await openSitePage(page, path);
        found.push(...(await accessibilityErrorsOf(page)).map((error) => ({ path, ...error })));
        const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(tooWide) > 0) found.push({ path, tooWide });
        await page.close();
      }
      await context.close();
      expect(found).toEqual([]);
    },
  );
});

describe('the documentation search, used with the keyboard', () => {
  test('finds an error code and is accessible', async () => {
    const page = await browser.newPage();
    await openSitePage(page, '/docs/');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('asset_not_ready');
    await page.locator('.result').first().waitFor();
    expect(await page.locator('.result').first().getAttribute('href')).toContain('/docs/errors/asset_not_ready');
    expect(await accessibilityErrorsOf(page)).toEqual([]);
    await page.close();
  });
});

/** Opens a page and waits until it is hydrated. */
async function openSitePage(page: Page, path: string): Promise<void> {
  await page.goto(api.url + path);
  await page.waitForFunction("document.querySelector('#app')?.__vue_app__");
}

async function accessibilityErrorsOf(page: Page): Promise<{ rule: string; where: string[] }[]> {
  await page.evaluate(axeSource);
  return page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({
    rule: id, where: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)),
  })))`);
}
