import { audioProgrammes } from '#evidence/media/probe/programmes.ts';
import { audioNotExamined, channelsNotMeasured } from '#evidence/media/probe/streams.ts';
import { defineSidekick } from '#sidekick/sidekick.ts';
import { timeFormatFor } from '#sidekick/timecode.ts';
import { unexaminedFindings } from '#sidekick/unexamined-streams.ts';
import { causes } from './causes.ts';
import { judgeLoudness } from './judge.ts';
import { rules } from './rules.ts';

const version = '1.2.0';

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
  needs: ['loudness', 'furtherLoudness', 'probe'],
  rules,
  notVerified: 'LOUD-NOT-MEASURED',
  causes,
  nothingToExamine: ({ loudness }) => (loudness === null ? 'nothing_in_file' : null),
  examined: ({ loudness, furtherLoudness, probe }) => {
    const programmes = probe ? audioProgrammes(probe).programmes : [];
    return [loudness, ...(furtherLoudness ?? [])].map((measured, n) => ({
      kind: 'audio_stream',
      label: programmes[n]?.name ?? 'audio',
      quantity: measured?.durationSeconds ?? null,
      unit: 's',
    }));
  },
  check: ({ loudness, furtherLoudness, probe }, { profile }) => {
    if (!loudness) return [];
    const measured = [loudness, ...(furtherLoudness ?? [])];
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
        const programme = programmes.length > 1 ? (programmes[n] ?? null) : null;
        return judgeLoudness({ loudness: each, limits, layout, channels, programme, isMain: n === 0, formatTime });
      }),
      ...unexaminedFindings('LOUD-NOT-MEASURED', notMeasured),
    ];
    return findings.map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${engine}; loudness ${version})`,
    }));
  },
});
