export type S3Settings = {
  store: 's3';
  region: string;
  bucket: string;
  /** Undefined for AWS. */
  endpoint: string | undefined;
  /** The endpoint in upload URLs. Their signature covers the host. */
  publicEndpoint: string | undefined;
  isPathStyle: boolean;
  /** If undefined, the SDK uses the credentials of its environment, such as the host's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
};
