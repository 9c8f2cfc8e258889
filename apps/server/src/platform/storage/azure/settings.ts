export type AzureSettings = {
  store: 'azure';
  url: string;
  /** The host that callers use may differ from the internal one; the signature does not cover the host. */
  publicUrl: string;
  account: string;
  /** If undefined, the SDK uses the identity of its environment, such as the host's managed identity. */
  accountKey: string | undefined;
  container: string;
};
