import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { renderReport } from '@assay/report/render-report.ts';
import type { Report } from '@assay/report/report.ts';
import { createSampleReport } from '@assay/report/samples/sample-report.ts';
import { launchBrowser } from '@assay/testing/run/browser.ts';
import { drawFrames } from './sample-frames.ts';

/** Wide enough to show the report at its full width. */
const viewport = { width: 1176, height: 900 };
const marginPx = 12;
const bytesMax = 200_000;
const folder = join(import.meta.dirname, '..', 'public');

const browser = await launchBrowser();
try {
  const page = renderReport(videoOnly(createSampleReport(await drawFrames(browser))));
  for (const colorScheme of ['light', 'dark'] as const) {
    const tab = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
    await tab.setContent(page);
    // The screenshot ends below the headline of the first issue, which is the most severe one.
    const head = await tab.locator('.issue .why').first().boundingBox();
    if (!head) throw new Error('the report shows no issue');
    const height = Math.round(head.y + head.height + marginPx);
    const picture = await tab.screenshot({ fullPage: true, clip: { x: 0, y: 0, width: viewport.width, height } });
    const file = join(folder, `report-${colorScheme}.png`);
    writePalettePng(picture, file);
    const { size } = statSync(file);
    if (size > bytesMax) throw new Error(`${file} has ${size} bytes; ${bytesMax} are allowed`);
    console.log(`${file}: ${viewport.width} × ${height} pixels, ${size} bytes`);
    await tab.close();
  }
} finally {
  await browser.close();
}

/** The report with the video only: a report on a single file shows the file name next to the verdict. */
function videoOnly(report: Report): Report {
  return { ...report, assets: report.assets.slice(0, 1), rejected: [] };
}

/** Writes a PNG with 256 colours, which are enough for a report and make the file three times smaller. */
function writePalettePng(picture: Buffer, file: string): void {
  const palette = 'split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none';
  const output = ['-vf', palette, '-frames:v', '1', '-update', '1', '-compression_level', '9', file];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'png_pipe', '-i', '-', ...output], { input: picture });
}
