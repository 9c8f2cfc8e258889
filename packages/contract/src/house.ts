/** House profiles: delivery limits by name. `metadata.assay.profile` picks one, else the workspace's own. */
export const profiles = ['ebu-r128', 'atsc-a85'] as const;
export type Profile = (typeof profiles)[number];
export const defaultProfile: Profile = 'ebu-r128';
