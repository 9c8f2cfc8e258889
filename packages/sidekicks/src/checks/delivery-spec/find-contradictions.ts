import { isCutShort } from '#evidence/media/decode/video/undecoded.ts';
import { type Expectation, type NotMeasured, toWithinSentence } from './expectation.ts';
import type { Facts } from './facts.ts';

/** What is expected of every frame, but read from the first or from the container. */
const frameMembers: ReadonlySet<Expectation['member']> = new Set([
  ...(['resolutions', 'displayAspectRatios', 'rotations', 'chromaSubsamplings', 'videoBitDepths'] as const),
]);
const durationMembers: ReadonlySet<Expectation['member']> = new Set(['durationSeconds', 'exactDuration']);
/**
 * Decoding also shows tracks that begin so late that the container does not list them. It fails for audio that changes
 * its format.
 */
const decodedMembers: ReadonlySet<Expectation['member']> = new Set([
  ...[...frameMembers, ...durationMembers],
  ...(['frameRates', 'videoTracks', 'audioTracks', 'channelsInAll'] as const),
  ...(['sampleRates', 'channels', 'channelLayouts'] as const),
]);

/** A declared frame rate is that of the frames if it differs by less: 24 and 25 differ by 4 %. */
const rateTolerance = 0.03;
/** So few frames say nothing about the rate. */
const framesMin = 12;

/** The evidence that shows whether declarations are true; none if only such are expected that need no frame. */
export function decodedEvidenceFor(expectations: readonly Expectation[]): ('video' | 'decoding')[] {
  return expectations.some(({ member }) => decodedMembers.has(member)) ? ['video', 'decoding'] : [];
}

type Unmeasured = NotMeasured & { stream: Expectation['stream'] | undefined };

/** The expectations that were compared with a declaration that the decoded frames contradict. */
export function findContradictions(expectations: readonly Expectation[], facts: Facts): Unmeasured[] {
  const isDoubtful = (member: Expectation['member']) =>
    (frameMembers.has(member) && facts.evidence.video?.formatChangeSeconds != null) ||
    (durationMembers.has(member) && isDurationWrong(facts)) ||
    (member === 'frameRates' && isFrameRateWrong(facts));
  return expectations
    .filter(({ member }) => isDoubtful(member))
    .map(({ name, member, stream }) => ({
      label: `${toWithinSentence(name)} (${frameMembers.has(member) ? 'changes within the file' : 'not as declared'})`,
      reason: 'not_measurable',
      stream,
    }));
}

/** Whether the file plays for much longer or shorter than it declares. */
function isDurationWrong({ video, probe, evidence: { decoding } }: Facts): boolean {
  const declared = video?.durationSeconds ?? probe.durationSeconds;
  if (!decoding || declared === null) return false;
  const { videoEndSeconds, audioEndSeconds } = decoding;
  const played =
    video?.durationSeconds != null ? videoEndSeconds : Math.max(videoEndSeconds ?? 0, audioEndSeconds ?? 0);
  return played !== null && isCutShort(Math.abs(declared - played), declared);
}

/** Both the usual duration of a frame and the mean have to differ: a variable rate has a rule of its own. */
function isFrameRateWrong({ video, evidence }: Facts): boolean {
  const timing = evidence.video?.timing;
  const declared = video?.averageFrameRate ?? null;
  if (!timing || declared === null || timing.usualSeconds === null || timing.count < framesMin) return false;
  const mean = (timing.count - 1) / (timing.lastSeconds - timing.firstSeconds);
  const differs = (rate: number) => Math.abs(rate / declared - 1) > rateTolerance;
  return differs(1 / timing.usualSeconds) && differs(mean);
}
