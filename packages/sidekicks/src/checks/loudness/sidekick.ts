import { defineSidekick } from '../../sidekick.ts';
import { judgeLoudness } from './judge.ts';
import { rules } from './rules.ts';

const version = '1.0.0';

/** Is it as loud as the house wants it, and do its peaks stay below full scale? */
export const sidekick = defineSidekick({
  id: '17a47687-b801-4923-a521-ecaf1637889a',
  name: 'Loudness',
  shortName: 'loudness',
  version,
  description: 'Measures programme loudness and true peaks and holds them against the limits of the house.',
  appliesTo: ['video', 'audio'],
  isDefault: true,
  needs: ['loudness', 'probe'],
  rules,
  check: ({ loudness, probe }, { profile }) => {
    if (!loudness) return [];
    const stream = probe?.streams.find(({ kind }) => kind === 'audio');
    const layout = stream?.channelLayout ?? null;
    const engine = `${probe?.reader.replace('ffprobe', 'ffmpeg') ?? 'ffmpeg'} ebur128`;
    // Two single tracks are heard as left and right.
    const channels = Math.max(stream?.channels ?? 2, (loudness.truePeakChannel ?? 0) + 1);
    return judgeLoudness({ loudness, limits: profile.loudness, layout, channels }).map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${engine}; loudness ${version})`,
    }));
  },
});
