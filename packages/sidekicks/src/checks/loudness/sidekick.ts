import { defineSidekick } from '#sidekick/sidekick.ts';
import { timeFormatFor } from '#sidekick/timecode.ts';
import { causes } from './causes.ts';
import { judgeLoudness } from './judge.ts';
import { rules } from './rules.ts';

const version = '1.1.1';

/** Checks whether the loudness meets the delivery profile and true peaks stay below its limit. */
export const sidekick = defineSidekick({
  id: '17a47687-b801-4923-a521-ecaf1637889a',
  name: 'Loudness',
  topicLabel: 'Loudness',
  shortName: 'loudness',
  version,
  description: 'Measures integrated loudness, short-term loudness and true peak against the delivery profile.',
  appliesTo: ['video', 'audio'],
  isDefault: true,
  needs: ['loudness', 'probe'],
  rules,
  causes,
  applies: ({ loudness }) => loudness !== null,
  check: ({ loudness, probe }, { profile }) => {
    if (!loudness) return [];
    const stream = probe?.streams.find(({ kind }) => kind === 'audio');
    const layout = stream?.channelLayout ?? null;
    const engine = `${probe?.reader.replace('ffprobe', 'ffmpeg') ?? 'ffmpeg'} ebur128`;
    // Two mono tracks are measured as left and right, so there may be more channels than the first stream has.
    const channels = Math.max(stream?.channels ?? 2, (loudness.truePeakChannel ?? 0) + 1);
    const formatTime = timeFormatFor(probe);
    return judgeLoudness({ loudness, limits: profile.limits.loudness, layout, channels, formatTime }).map(
      (finding) => ({
        ...finding,
        severityReasoning: `${finding.severityReasoning} (${engine}; loudness ${version})`,
      }),
    );
  },
});
