/** Where a blob is stored. It stays there when the configured store, account or container changes. */
export type BlobLocation = {
  store: 'azure' | 's3';
  /** Azure: the name of the storage account. S3: the host, with its port, that callers use. */
  account: string;
  /** S3: the bucket. */
  container: string;
};

export type AzureSettings = {
  url: string;
  /** The host that callers use may differ from the internal one; the signature does not cover the host. */
  publicUrl: string;
  account: string;
  /** Undefined: the identity that the SDK finds in its environment, such as that of the machine. */
  accountKey: string | undefined;
  container: string;
};

export type S3Settings = {
  region: string;
  bucket: string;
  /** Undefined: AWS. */
  endpoint: string | undefined;
  /** For callers. The signature of a URL covers the host, so it is signed for this one. */
  publicEndpoint: string | undefined;
  isPathStyle: boolean;
  /** Undefined: what the SDK finds in its environment, such as the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
};

export type StoreSettings = AzureSettings | S3Settings;

export function isS3(settings: StoreSettings): settings is S3Settings {
  return 'bucket' in settings;
}

/** The address at which the service reaches the store. */
export function endpointOf(settings: StoreSettings): string {
  return isS3(settings) ? (settings.endpoint ?? awsEndpoint(settings.region)) : settings.url;
}

const awsEndpoint = (region: string) => `https://s3.${region}.amazonaws.com`;

/** Where new blobs are stored with these settings. */
export function homeOf(settings: StoreSettings): BlobLocation {
  if (!isS3(settings)) return { store: 'azure', account: settings.account, container: settings.container };
  const { publicEndpoint, endpoint, region, bucket } = settings;
  // The public address, because processes may reach the same store at different internal addresses.
  const { host } = new URL(publicEndpoint ?? endpoint ?? awsEndpoint(region));
  return { store: 's3', account: host, container: bucket };
}
