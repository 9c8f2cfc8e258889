type StageProgress = {
  /** Returns the progress of both stages together, 0 to 1, when this share of the file has arrived. */
  downloaded(share: number): number;
  /** Returns the progress of both stages together, 0 to 1, when this share of the examination is done. */
  examined(share: number): number;
};

/**
 * Weighs the download by its share of the expected total time, based on its rate so far. The duration of the
 * examination is an estimate.
 */
export function weighDownload(examinationSeconds: number, clock: () => Date): StageProgress {
  const startedAt = clock().getTime();
  let weight = 0;
  return {
    downloaded(share) {
      const seconds = (clock().getTime() - startedAt) / 1000 / share;
      weight = share > 0 ? seconds / (seconds + examinationSeconds) : 0;
      return weight * share;
    },
    examined: (share) => weight + (1 - weight) * share,
  };
}
