import { createHash } from 'node:crypto';
import type { AssetResult, Check, Issue, IssueDecision, Measurements } from '@assay/sdk';
import type { Report, ReportAsset } from '../report.ts';
import { gateOf, judgeAsset } from '../verdict/judgement.ts';
import { type SampleIssue, sampleIssues } from './sample-issues.ts';
import { sampleMediaOf } from './sample-media.ts';
import { sampleIds, sampleSidekicks } from './sample-sidekicks.ts';

const submissionId = '7f0c2a54-93de-4f0b-8a35-2f6f1f0f7b61';
const timeAt = (seconds: number) => new Date(Date.UTC(2026, 10, 12, 9, 41, seconds)).toISOString();
const idOf = (kind: string, number: number) => {
  const hash = createHash('sha256').update(`${kind} ${number}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
};

/** Draws the still at this time. Tests in a browser need real images. */
export type DrawStill = (timeMs: number) => Uint8Array;

const emptyJpeg: DrawStill = () => Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);

/** A video with many issues, an image, a document, audio without issues, a failed file and two rejected ones. */
export function createSampleReport(draw: DrawStill = emptyJpeg): Report {
  const assets = [
    createSampleAsset(
      1,
      { filename: 'Aurora_TVC_90s_EN_v3.mp4', mimeType: 'video/mp4', sizeBytes: 184_320_771 },
      sampleIssues.video,
      draw,
    ),
    createSampleAsset(
      2,
      { filename: 'aurora-key-visual.jpg', mimeType: 'image/jpeg', sizeBytes: 4_812_004 },
      sampleIssues.image,
      draw,
    ),
    createSampleAsset(
      3,
      { filename: 'Aurora terms and conditions.pdf', mimeType: 'application/pdf', sizeBytes: 812_443 },
      sampleIssues.document,
      draw,
    ),
    createSampleAsset(4, { filename: 'aurora-radio-30s.wav', mimeType: 'audio/wav', sizeBytes: 5_760_044 }, [], draw),
    createSampleAsset(
      5,
      { filename: 'Aurora_cutdown_15s.mov', mimeType: 'video/quicktime', sizeBytes: 41_220_118 },
      [],
      draw,
    ),
  ];
  const [video, , , audio, damaged] = assets as [ReportAsset, ReportAsset, ReportAsset, ReportAsset, ReportAsset];
  video.measurements = measureVideo(video.result);
  audio.measurements = measureAudio(audio.result);
  failSample(damaged);
  return judgeSamples({
    submission: {
      submissionId,
      workflowId: `submission-${submissionId}`,
      workspaceId: idOf('workspace', 1),
      mode: 'live',
      status: 'complete',
      progressPercent: 100,
      createdAt: timeAt(3),
      completedAt: timeAt(48),
      errorMessage: null,
      isRetryable: false,
      // The report shows those of the assets.
      verdict: null,
      severityCounts: null,
      statusCounts: null,
      blockingCount: null,
      reviewCount: null,
      waivedCount: null,
      profile: { profileId: idOf('profile', 1), name: 'ebu-r128', revision: 1, failOn: 'MAJOR', allowIncomplete: [] },
      metadata: { assay: { profile: 'ebu-r128' }, campaign: 'Aurora' },
      assets: [],
    },
    assets,
    generatedAt: timeAt(59),
    rejected: [
      {
        filename: 'aurora-banner.png',
        reason: 'aurora-banner.png is 61.2 MiB; an image can be up to 50 MiB.',
        next: 'Re-encode the file at a smaller size, or split it.',
        code: 'asset_too_large',
        stage: 'before_upload',
      },
      {
        filename: 'Aurora_TVC_90s_DE_v3.mp4',
        reason: 'The file is named .mp4, but its content is plain text.',
        next: 'Rename the file to match its format, or convert it.',
        code: 'content_type_mismatch',
        stage: 'by_service',
      },
    ],
    baseUrl: 'https://assay.example',
    serviceVersion: '0.1.0',
  });
}

/** Sets the verdict of each asset, as the service would. Call it again after changing issues or checks. */
export function judgeSamples(report: Report): Report {
  for (const { result, issues } of report.assets) {
    if (!report.submission) continue;
    const unjudged = { ...result, verdict: undefined } as unknown as AssetResult;
    Object.assign(result, judgeAsset({ result: unjudged, issues }, gateOf(report.submission)));
  }
  return report;
}

type SampleFile = Pick<AssetResult, 'filename' | 'mimeType' | 'sizeBytes'>;

export function createSampleAsset(
  number: number,
  file: SampleFile,
  samples: SampleIssue[],
  draw: DrawStill = emptyJpeg,
): ReportAsset {
  const issues = samples.map((one, i) => completeIssue(one, number, i + 1));
  const category = file.mimeType?.split('/')[0];
  return {
    result: {
      ...file,
      assetId: idOf('asset', number),
      submissionId,
      status: 'complete',
      issues: [],
      issueCount: issues.length,
      versionNumber: 3,
      versionGroupId: idOf('version group', number),
      contentSha256: createHash('sha256').update(file.filename).digest('hex'),
      progressPercent: 100,
      errorMessage: null,
      errorType: null,
      isRetryable: false,
      retryCount: 0,
      createdAt: timeAt(3),
      completedAt: timeAt(30 + number),
      // Set by `judgeSamples`.
      verdict: null,
      severityCounts: null,
      statusCounts: null,
      blockingCount: null,
      reviewCount: null,
      waivedCount: null,
      media: sampleMediaOf(file.mimeType),
      checks: sampleSidekicks.map(({ appliesTo, ...sidekick }): Check => {
        const applies = appliesTo.some((one) => one === category || (one === 'document' && category === 'application'));
        const own = issues.filter(({ sidekickId }) => sidekickId === sidekick.sidekickId);
        const isIncomplete = own.some(({ ruleCode }) => ruleCode === sidekick.notVerifiedRuleCode);
        return {
          ...sidekick,
          profile: 'ebu-r128',
          profileRevision: 2,
          outcome: !applies ? 'not_applicable' : isIncomplete ? 'incomplete' : 'ran',
          reason: applies ? null : appliesTo.length > 0 ? 'nothing_in_file' : 'nothing_in_profile',
          coverage: {
            examined: applies ? sampleCoverage(sidekick.shortName, category) : [],
            notExamined: isIncomplete
              ? [{ kind: 'embedded_file', label: 'embedded file 2', reason: 'encrypted', share: null }]
              : [],
          },
          measured: applies ? sampleMeasured(sidekick.shortName) : [],
          issueCount: own.length,
          omittedCount: 0,
          omittedSeverityCounts: { critical: 0, major: 0, minor: 0, info: 0 },
        };
      }),
    },
    issues,
    measurements: undefined,
    poster: /^(video|image)/.test(file.mimeType ?? '') ? draw(9000) : undefined,
    stills: Object.fromEntries(
      issues.map(({ id, evidence }) => [id, evidence.map(({ timeMs }) => draw(timeMs ?? -1))]),
    ),
    decisions: Object.fromEntries(
      issues.flatMap((issue) => (issue.statusChangedAt ? [[issue.id, [decisionOf(issue, number)]]] : [])),
    ),
  };
}

/** What a check of this name measures. */
function sampleMeasured(shortName: string): NonNullable<Check['measured']> {
  if (shortName !== 'loudness') return [];
  return [
    { quantity: 'integratedLoudness', label: 'audio track 1 (eng)', value: -17.6, unit: 'LUFS' },
    { quantity: 'truePeak', label: 'audio track 1 (eng)', value: 0.8, unit: 'dBTP' },
  ];
}

/** What a check of this name examines in a file of this category. */
function sampleCoverage(shortName: string, category: string | undefined): NonNullable<Check['coverage']>['examined'] {
  const part = (kind: string, label: string, quantity: number | null = null, unit: string | null = null) => ({
    kind,
    label,
    quantity,
    unit,
  });
  const frames = part('video_stream', 'video track 1', 2250, 'frames');
  const audio = part('audio_stream', 'audio track 1 (eng)', category === 'video' ? 90 : 30, 's');
  switch (shortName) {
    case 'photosensitivity':
      return [category === 'video' ? frames : part('image', 'image')];
    case 'loudness':
      return [audio];
    case 'qc-picture-sound':
      return category === 'video' ? [frames, audio] : [audio];
    case 'captions':
      return [part('caption_track', 'track 3 (eng)', 41, 'captions')];
    case 'metadata-privacy':
      return [part('metadata', 'metadata', 57, 'tags')];
    default:
      return [category === 'application' ? part('entries', 'PDF objects', 148, 'objects') : part('image', 'format')];
  }
}

function decisionOf({ status, statusReason, statusNote, statusChangedAt }: Issue, asset: number): IssueDecision {
  return {
    decidedAt: statusChangedAt ?? '',
    actor: { kind: 'api_key', id: idOf('key', 1) },
    from: 'OPEN',
    to: status,
    reason: statusReason,
    note: statusNote,
    carriesOver: true,
    carriedFrom: {
      submissionId: idOf('submission', 2),
      assetId: idOf('asset', asset),
      issueId: idOf('issue', 2),
      versionNumber: 2,
    },
  };
}

export function failSample(asset: ReportAsset): void {
  asset.poster = undefined;
  Object.assign(asset.result, {
    status: 'failed',
    issueCount: null,
    contentSha256: null,
    checks: [],
    media: null,
    errorType: 'corrupt_media',
    errorMessage: 'The file is damaged and cannot be read to its end. Export it again.',
  });
}

function completeIssue({ stillsAtMs = [], sidekick, ...given }: SampleIssue, asset: number, number: number): Issue {
  const id = idOf('issue', 1000 * asset + number);
  return {
    status: 'OPEN',
    confidence: 1,
    precedents: [],
    measured: null,
    limit: null,
    unit: null,
    standard: null,
    locations: [],
    statusNote: null,
    statusReason: null,
    statusChangedAt: null,
    previousDecision: null,
    ...given,
    id,
    sidekickId: sampleIds[sidekick],
    referenceNumber: number,
    createdAt: timeAt(40),
    updatedAt: timeAt(40),
    evidence: stillsAtMs.map((timeMs, n) => ({
      kind: 'image',
      url: `/submissions/${submissionId}/assets/${idOf('asset', asset)}/issues/${id}/evidence/${n}`,
      ...(timeMs === null ? {} : { timeMs }),
    })),
  };
}

/** Deterministic values that vary like real audio and video. */
function wave(i: number): number {
  return (
    Math.sin(i * 0.7) * 0.5 + Math.sin(i * 0.13 + 2) * 0.8 + Math.sin(i * 2.9) * 0.35 + Math.sin(i * i * 0.017) * 0.4
  );
}

function measureVideo({ assetId }: AssetResult): Measurements {
  const stepMs = 100;
  const points = Array.from({ length: 900 }, (_, i) => i);
  const isSilent = (i: number) => i >= 612 && i < 654;
  const isStrobe = (i: number) => i >= 245 && i < 282;
  const isBlack = (i: number) => i >= 470 && i < 498;
  const isFrozen = (i: number) => i >= 840;
  const programme = (i: number) => (i < 200 ? -21 : i < 420 ? -15.5 : i < 612 ? -20 : -17.5);
  const momentary = points.map((i) => (isSilent(i) ? null : Number((programme(i) + 3.4 * wave(i)).toFixed(2))));
  const shortTerm = points.map((i) => {
    const window = momentary.slice(Math.max(0, i - 29), i + 1).filter((value) => value !== null);
    return window.length < 8 ? null : Number((window.reduce((a, b) => a + b, 0) / window.length + 0.6).toFixed(2));
  });
  const luminance = points.map((i) =>
    isBlack(i)
      ? 0.01
      : isStrobe(i)
        ? i % 2
          ? 0.78
          : 0.22
        : Number((0.34 + 0.1 * wave(Math.floor(i / 24) * 5) + (isFrozen(i) ? 0 : 0.02 * wave(i))).toFixed(3)),
  );
  return {
    assetId,
    submissionId,
    durationMs: 90_000,
    frameRate: 25,
    series: [
      { name: 'loudnessMomentary', unit: 'LUFS', stepMs, values: momentary },
      { name: 'loudnessShortTerm', unit: 'LUFS', stepMs, values: shortTerm },
      {
        name: 'soundLevel',
        unit: 'dBFS',
        stepMs,
        values: momentary.map((value) => (value === null ? null : value - 2)),
      },
      { name: 'silence', unit: 'share', stepMs, values: points.map((i) => Number(isSilent(i))) },
      { name: 'luminance', unit: 'share', stepMs, values: luminance },
      {
        name: 'flashes',
        unit: 'transitions/s',
        stepMs,
        values: points.map((i) => (isStrobe(i) ? 11 + (i % 3) : Math.max(0, Math.round(wave(i * 3) - 0.4)))),
      },
    ],
  };
}

function measureAudio({ assetId }: AssetResult): Measurements {
  const values = Array.from({ length: 300 }, (_, i) => Number((-23.2 + 2.2 * wave(i + 40)).toFixed(2)));
  const smooth = values.map((_, i) =>
    values.slice(Math.max(0, i - 29), i + 1).reduce((a, b, __, all) => a + b / all.length, 0),
  );
  return {
    assetId,
    submissionId,
    durationMs: 30_000,
    frameRate: null,
    series: [
      { name: 'loudnessMomentary', unit: 'LUFS', stepMs: 100, values },
      { name: 'loudnessShortTerm', unit: 'LUFS', stepMs: 100, values: smooth.map((value) => Number(value.toFixed(2))) },
      { name: 'silence', unit: 'share', stepMs: 100, values: values.map(() => 0) },
    ],
  };
}
