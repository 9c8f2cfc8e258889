import type { DrawStill } from '@assay/report/samples/sample-report.ts';
import type { Browser } from 'playwright-core';

type Frame = 'landscape' | 'flash' | 'black' | 'end card';
const frames: Frame[] = ['landscape', 'flash', 'black', 'end card'];

/** Draws stills that look like frames of the video in the sample report. */
export async function drawFrames(browser: Browser): Promise<DrawStill> {
  const tab = await browser.newPage();
  const jpegs = new Map<Frame, Uint8Array>();
  for (const frame of frames) {
    const url = await tab.evaluate(drawFrame, frame);
    jpegs.set(frame, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  }
  await tab.close();
  return (timeMs) => jpegs.get(frameAt(timeMs)) ?? new Uint8Array();
}

function frameAt(timeMs: number): Frame {
  if (timeMs >= 47_000 && timeMs < 49_800) return 'black';
  if (timeMs >= 84_000) return 'end card';
  return timeMs === 26_120 ? 'flash' : 'landscape';
}

/** Runs in the browser, so it cannot refer to anything outside the function. */
function drawFrame(frame: Frame): string {
  const [width, height] = [640, 360];
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) return '';
  const fill = (style: string | CanvasGradient) => {
    context.fillStyle = style;
    context.fillRect(0, 0, width, height);
  };
  if (frame === 'black') {
    fill('#050505');
    return canvas.toDataURL('image/jpeg', 0.85);
  }
  const sky = context.createLinearGradient(0, 0, 0, height);
  for (const [stop, colour] of [
    [0, '#0a1a33'],
    [0.55, '#1d4d5f'],
    [0.8, '#c98a5a'],
    [1, '#f0c58a'],
  ] as const)
    sky.addColorStop(stop, colour);
  fill(sky);
  for (const [base, colour] of [
    [120, 'rgba(96, 230, 170, 0.35)'],
    [95, 'rgba(120, 170, 255, 0.25)'],
  ] as const) {
    context.beginPath();
    for (let x = 0; x <= width; x += 8) context.lineTo(x, base + 34 * Math.sin(x / 95) + 14 * Math.sin(x / 37));
    for (let x = width; x >= 0; x -= 8) context.lineTo(x, base - 75 + 26 * Math.sin(x / 110 + 1));
    context.fillStyle = colour;
    context.fill();
  }
  for (const [base, colour] of [
    [268, '#26424d'],
    [305, '#16272e'],
  ] as const) {
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 4)
      context.lineTo(x, base - 34 * Math.abs(Math.sin(x / 83 + base)) - 9 * Math.sin(x / 21));
    context.lineTo(width, height);
    context.fillStyle = colour;
    context.fill();
  }
  if (frame === 'flash') {
    context.fillStyle = 'rgba(255, 255, 255, 0.82)';
    context.fillRect(0.12 * width, 0.08 * height, 0.74 * width, 0.83 * height);
  }
  if (frame === 'end card') {
    context.fillStyle = '#ffffff';
    context.font = '600 58px sans-serif';
    context.textAlign = 'center';
    context.fillText('AURORA', width / 2, height / 2);
  }
  return canvas.toDataURL('image/jpeg', 0.85);
}
