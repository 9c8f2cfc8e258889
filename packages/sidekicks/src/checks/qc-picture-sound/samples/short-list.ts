/** The clips of a short run: for each rule, those just over its limits and clean ones just under them. */
export const shortList: readonly string[] = [
  ...['black a frame too long', 'nearly black', 'black without audio', 'black in mxf'],
  ...['two seconds of black', 'dark, but not black'],
  ...['frozen a frame too long', 'frozen black is reported only as black', 'frozen in ts', 'five seconds frozen'],
  ...['luma 4', 'luma 247', 'too bright in a twentieth of the frame', 'sharp white on black'],
  ...['full range, not flagged in mp4', 'limited range, flagged full in mp4', 'full range, correctly flagged'],
  ...['fields, not flagged in mp4', 'bottom field first, flagged top in mov'],
  ...['top field first, correctly flagged', 'progressive frames in an interlaced stream'],
  ...['the frame rate halves in the middle (mkv)', 'one dropped frame'],
  ...['silence in m4a', 'noise at −70 dB counts as silence', 'three seconds of silence', 'very quiet, but not silent'],
  ...['clipped in 24 bits', 'a tone just below full scale'],
  ...['identical channels in mp4', 'left and right nearly the same', 'one channel inverted for three seconds'],
  ...['silent surround channels of 5.1', '5.1 with a silent LFE channel'],
  ...['an mp4 without its second half', 'a flac with overwritten bytes'],
  ...['audio that ends late (mov)', 'audio that ends a little early', 'no audio in mkv', 'no video in mp4'],
  ...['video as mpg', 'audio as mp3'],
];
