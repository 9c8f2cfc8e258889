import type { S3 } from '@aws-sdk/client-s3';

/** Creates the bucket for media if it is missing. MinIO has no CORS rules per bucket and lets any page upload. */
export async function createBucket(s3: S3, bucket: string, hasCorsRules = true): Promise<void> {
  await s3.createBucket({ Bucket: bucket }).catch((error) => {
    if (error.name !== 'BucketAlreadyOwnedByYou') throw error;
  });
  if (!hasCorsRules) return;
  // A browser may PUT to a presigned URL from any page: the signature is the permission, not the origin.
  const rule = { AllowedOrigins: ['*'], AllowedMethods: ['PUT'], AllowedHeaders: ['*'], ExposeHeaders: ['ETag'] };
  await s3.putBucketCors({ Bucket: bucket, CORSConfiguration: { CORSRules: [{ ...rule, MaxAgeSeconds: 3600 }] } });
}
