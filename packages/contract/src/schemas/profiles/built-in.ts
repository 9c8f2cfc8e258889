// No schemas in this file, so that importing it does not load Zod.

/** The delivery profiles that every installation has. Each is defined by a data file of the package sidekicks. */
export const builtInProfiles = [
  ...(['general', 'ebu-r128', 'ebu-r128-s1', 'atsc-a85', 'streaming', 'podcast', 'social'] as const),
  ...(['uk-dpp-as11', 'us-broadcast-ad'] as const),
] as const;
export type BuiltInProfile = (typeof builtInProfiles)[number];
/** The profile that applies if neither the submission nor the workspace selects one. */
export const defaultProfile: BuiltInProfile = 'general';

export const flashAreas = ['screen', '341x256', '416x416'] as const;
/**
 * The lowest `areaShareMax` of a profile, as in the strictest known one. Flashes over a smaller share are not recorded.
 */
export const flashAreaShareMin = 0.2;

/** How many profiles a profile may extend, directly or through others. */
export const profileDepthMax = 5;
export const profilesPerWorkspaceMax = 100;
/** Revisions are kept as long as the workspace, because results refer to them. */
export const revisionsPerProfileMax = 1000;
