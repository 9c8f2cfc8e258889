import type { Evidence } from '#evidence/evidence.ts';
import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { audioProgrammes } from '#evidence/media/probe/programmes.ts';
import { audioNotExamined, channelsNotMeasured, isAmbisonic } from '#evidence/media/probe/streams.ts';
import { type Declared, defineSidekick } from '#sidekick/sidekick.ts';
import { timeFormatFor } from '#sidekick/timecode.ts';
import { unexaminedFindings } from '#sidekick/unexamined-streams.ts';
import { unreadMediaFindings } from '#sidekick/unread-media.ts';
import { causes } from './causes.ts';
import { judgeLoudness } from './judge.ts';
import { measuredValues } from './measured-values.ts';
import { rules } from './rules.ts';
import { validateLimits } from './validate-limits.ts';

const version = '1.3.0';

/** Checks whether the loudness meets the delivery profile and true peaks stay below its limit. */
export const sidekick = defineSidekick({
  id: '17a47687-b801-4923-a521-ecaf1637889a',
  name: 'Loudness',
  topicLabel: 'Loudness',
  shortName: 'loudness',
  version,
  description:
    'Measures integrated loudness, short-term loudness and true peak of every audio programme against the delivery profile.',
  appliesTo: ['video', 'audio'],
  isDefault: true,
  needs: ['loudness', 'furtherLoudness', 'probe', 'recognition'],
  rules,
  notVerified: 'LOUD-NOT-MEASURED',
  causes,
  validateLimits,
  nothingToExamine: (evidence, declared) => {
    const hasSomething = evidence.loudness || hasAudio(evidence.probe) || unreadFindings(evidence, declared).length > 0;
    return hasSomething ? null : 'nothing_in_file';
  },
  examined: ({ loudness, furtherLoudness, probe }) => {
    const programmes = probe ? audioProgrammes(probe).programmes : [];
    return (loudness ? [loudness, ...(furtherLoudness ?? [])] : []).map((measured, n) => ({
      kind: 'audio_stream',
      label: programmes[n]?.name ?? 'audio',
      quantity: measured.durationSeconds,
      unit: 's',
    }));
  },
  measured: ({ loudness, furtherLoudness, probe }, { profile }) => {
    const programmes = probe ? audioProgrammes(probe).programmes : [];
    return (loudness ? [loudness, ...(furtherLoudness ?? [])] : []).flatMap((measured, n) =>
      isAmbisonic(programmes[n]?.layout ?? null)
        ? []
        : measuredValues(measured, programmes[n]?.name ?? 'audio', profile.limits.loudness.scale),
    );
  },
  check: (evidence, declared) => {
    const { loudness, furtherLoudness, probe } = evidence;
    const { profile } = declared;
    const measured = loudness ? [loudness, ...(furtherLoudness ?? [])] : [];
    const programmes = probe ? audioProgrammes(probe).programmes : [];
    const notMeasured = probe
      ? [...audioNotExamined(probe, measured.length), ...channelsNotMeasured(probe, measured.length)]
      : [];
    const engine = `${probe?.reader.replace('ffprobe', 'ffmpeg') ?? 'ffmpeg'} ebur128`;
    const formatTime = timeFormatFor(probe);
    const limits = profile.limits.loudness;
    const findings = [
      ...measured.flatMap((each, n) => {
        const { channels = 2, layout = null } = programmes[n] ?? {};
        if (isAmbisonic(layout)) return [];
        const programme = programmes.length > 1 ? (programmes[n] ?? null) : null;
        return judgeLoudness({ loudness: each, limits, layout, channels, programme, isMain: n === 0, formatTime });
      }),
      ...unexaminedFindings('LOUD-NOT-MEASURED', notMeasured),
      ...unreadFindings(evidence, declared),
    ];
    return findings.map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${engine}; loudness ${version})`,
    }));
  },
});

const hasAudio = (probe: Probe | null) => probe?.streams.some(({ kind }) => kind === 'audio') ?? false;

function unreadFindings({ probe, recognition }: Pick<Evidence, 'probe' | 'recognition'>, declared: Declared) {
  return probe ? [] : unreadMediaFindings('LOUD-NOT-MEASURED', 'audio_stream', recognition, declared);
}
