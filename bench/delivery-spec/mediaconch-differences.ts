import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import type { Recipe } from '@assay/sidekicks/checks/delivery-spec/samples/recipe.ts';

type SpecMember = keyof DeliverySpecLimits;

const isAbsentTrack = ({ wrong, name }: Recipe) =>
  (wrong === 'SPEC-VIDEO-TRACKS' || wrong === 'SPEC-AUDIO-TRACKS') && name.endsWith('none');

const differenceReasons: Partial<Record<SpecMember, string>> = {
  displayAspectRatios:
    'a policy compares the rounded number, so 854×480 (1.779) is not 16:9, and rotated video is compared as stored.',
  startTimecodes: 'MediaInfo does not report the timecode tag of Matroska.',
  rotations: 'MediaInfo reports a rotation only for MP4 and QuickTime.',
  videoTracks: 'a file without video has no count of video tracks, and a rule about a missing value fails.',
  videoBitsPerSecond: 'in Matroska and WebM MediaConch does not know it; Assay adds up the packets.',
  audioBitsPerSecond: 'in Matroska it is unknown, and a rule about a missing value fails; Assay does not judge it.',
  videoProfiles: 'MediaInfo does not report the profile of ProRes in Matroska.',
  videoLevelMax: 'the level of another codec is compared as if it were one of H.264.',
  colourMatrices: 'container and video stream disagree: MediaInfo reports the container, ffprobe the stream.',
  colourRanges: 'container and video stream disagree: MediaInfo reports the container, ffprobe the stream.',
  videoBitDepths: 'MediaInfo does not report the bit depth of ProRes and some other codecs.',
  chromaSubsamplings: 'MediaInfo does not report the subsampling of this codec in this container.',
  mxfOperationalPatterns: 'the rule fails in a file that is not MXF; here only the container is wrong.',
  audioBitDepths: 'lossy audio has no bit depth, and a rule about a missing value fails.',
  masteringPrimaries: 'without metadata both rules fail; Assay reports its absence once.',
  scans: 'MediaInfo reports no scan type for VP8 and VP9.',
  frameRates: 'MediaInfo does not know the rate of this short H.264 stream in MPEG-TS.',
  durationSeconds: 'MediaInfo does not estimate the duration of an ADTS stream.',
};

/**
 * Reasons why MediaConch judges a property differently; they were found by inspecting a few examples of each property.
 */
export function differenceOf(member: SpecMember, recipe: Recipe): string {
  if (isAbsentTrack(recipe)) return 'a rule about a track that does not exist fails; here only their number is wrong.';
  return differenceReasons[member] ?? 'not explained.';
}
