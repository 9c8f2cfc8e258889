/** Of what is not finished, has failed or was only simulated. */
export const noVerdict = {
  verdict: null,
  severityCounts: null,
  statusCounts: null,
  blockingCount: null,
  reviewCount: null,
  waivedCount: null,
};
