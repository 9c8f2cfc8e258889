import type { Issue, Submission } from '@assay/sdk';
import type { Report, ReportAsset } from '../report.ts';
import { createSampleAsset, createSampleReport, judgeSamples } from './sample-report.ts';

export const sampleFile = { filename: 'a.mp4', mimeType: 'video/mp4', sizeBytes: 1000 };
export const sampleIssue: Parameters<typeof createSampleAsset>[2][number] = {
  sidekick: 'quality',
  ruleCode: 'QC-BLACK',
  severity: 'MAJOR',
  summary: 'Black.',
  severityReasoning: 'It was measured.',
  severityReasoningHeadline: 'It matters.',
};

/** A report on these files, with the verdicts that the service would send. */
export function reportOf(assets: ReportAsset[], submission: Partial<Submission> = {}): Report {
  const sample = createSampleReport();
  return judgeSamples({
    ...sample,
    assets,
    rejected: [],
    submission: { ...(sample.submission as Submission), ...submission },
  });
}

/** A video with these issues. */
export function assetWith(...samples: Partial<Issue & { sidekick: typeof sampleIssue.sidekick }>[]): ReportAsset {
  return createSampleAsset(
    1,
    sampleFile,
    samples.map((one) => ({ ...sampleIssue, ...one })),
  );
}

/** The text of the page, without style sheet and script. */
export function textOf(page: string): string {
  const body = page.slice(page.indexOf('<body>'), page.indexOf('<script>'));
  return body
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}
