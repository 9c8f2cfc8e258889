import { describe, expect, test } from 'vitest';
import { renderReport } from '../render-report.ts';
import { createSampleReport } from '../samples/sample-report.ts';
import { formatMeasurement, formatQuantity } from './measurement.ts';

describe('a measured value', () => {
  test.each([
    [-17.64, 'LUFS', '−17.6 LUFS'],
    [-23, 'LKFS', '−23.0 LKFS'],
    [1, 'LU', '1.0 LU'],
    [-1, 'dBTP', '−1.0 dBTP'],
    [-60, 'dBFS', '−60.0 dBFS'],
    [4.2, 's', '4.20 s'],
    [1.25, '% of the frame', '1.3 % of the frame'],
    [13, 'transitions/s', '13 transitions/s'],
    [0.41, 'correlation', '0.41 correlation'],
    [6, 'decimals', '6 decimals'],
  ])('%d %s is shown as %s', (value, unit, text) => {
    expect(formatQuantity(value, unit)).toBe(text);
  });

  test.each([
    [-22.96, -23, 'LUFS', '−22.96 LUFS', '−23.00 LUFS'],
    [2.0004, 2, 's', '2.0004 s', '2.0000 s'],
    [1.04, 1, '% of the frame', '1.04 % of the frame', '1.00 % of the frame'],
    [52_428_801, 52_428_800, 'B', '52,428,801 B', '52,428,800 B'],
  ])('%d beside the limit %d is shown with enough decimals to tell them apart', (measured, limit, unit, ...texts) => {
    expect(Object.values(formatMeasurement({ measured, limit, unit }))).toEqual(texts);
  });

  test.each([
    [3, 3, 's', '3.00 s', '3.00 s (reached)'],
    [0.1 + 0.2, 0.3, 's', '0.30 s', '0.30 s (reached)'],
    [25, 25, '% of the screen', '25.0 % of the screen', '25.0 % of the screen (reached)'],
  ])('%d at the limit %d is shown as having reached the limit', (measured, limit, unit, ...texts) => {
    expect(Object.values(formatMeasurement({ measured, limit, unit }))).toEqual(texts);
  });

  test.each([
    [-23, -23, '−23.0 LUFS'],
    [-17.6, null, '−17.6 LUFS'],
  ])('%d beside the limit %s is shown with the usual decimals of its unit', (measured, limit, text) => {
    expect(formatMeasurement({ measured, limit, unit: 'LUFS' }).measured).toBe(text);
  });

  test('is rounded in the same way on the issue card and beside the plot', () => {
    const report = createSampleReport();
    const loud = report.assets[0]?.issues.find(({ ruleCode }) => ruleCode === 'LOUD-INTEGRATED-HIGH');
    Object.assign(loud ?? {}, { measured: -21.97, limit: -22 });
    const page = renderReport(report);
    expect(page).toContain('<dd><b>−21.97 LUFS</b></dd>');
    expect(page).toContain('<dd>−22.00 LUFS</dd>');
    expect(page).toContain('<tspan>overall </tspan>−21.97</text>');
    expect(page).toContain('<tspan>limit </tspan>−22.00</text>');
  });
});
