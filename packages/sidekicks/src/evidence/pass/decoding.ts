/** How the one decoding of a film went. */
export type Decoding = {
  errorCount: number;
  /** The first few, as the decoder put them. */
  messages: string[];
  /** Where the decoding of each ended; `null` where the film has none. */
  pictureEndSeconds: number | null;
  soundEndSeconds: number | null;
  /** It ended before the end that the file claims. */
  isCutShort: boolean;
};
