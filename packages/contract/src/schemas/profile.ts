/** Delivery profiles: sets of limits by name. `metadata.assay.profile` selects one, else the workspace's own. */
export const profiles = ['ebu-r128', 'atsc-a85'] as const;
export type Profile = (typeof profiles)[number];
export const defaultProfile: Profile = 'ebu-r128';
