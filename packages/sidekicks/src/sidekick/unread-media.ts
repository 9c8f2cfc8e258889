/** Formats of media whose names do not begin with `video/` or `audio/`. */
const otherMediaFormats = new Set(['unknown', 'application/mxf', 'application/ogg', 'application/vnd.ms-asf']);

/**
 * Whether a file that was not opened as media may still be media: of a format that no demuxer is chosen for, or of an
 * unknown one. Every other recognised format shows that it is not.
 */
export function mayBeMedia(recognition: string): boolean {
  return /^(?:video|audio)\//.test(recognition) || otherMediaFormats.has(recognition);
}
