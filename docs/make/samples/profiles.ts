import type { profileRoutes } from '@assay/contract/routes/profiles.ts';
import { program, type SamplesOf } from './sample.ts';

export const profileSamples: SamplesOf<typeof profileRoutes> = {
  listProfiles: {
    curl: `
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" "$API/profiles"`,
    ts: program(
      [],
      `
for await (const { name, title } of assay.profiles.list())
  console.log(name, title);`,
    ),
    cli: 'assay profiles list',
  },
  createProfile: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$API/profiles" -H 'Content-Type: application/json' \
  -d '{"name": "our-podcasts",
       "extends": {"profile": "podcast"},
       "limits": {"loudness": {"target": -18}}}'`,
    ts: program(
      [],
      `
const { name, revision } = await assay.profiles.create({
  name: 'our-podcasts',
  extends: { profile: 'podcast' },
  limits: { loudness: { target: -18 } },
});
console.log(name, revision);`,
    ),
    cli: `
assay profiles create --file - <<'JSON'
{"name": "our-podcasts",
 "extends": {"profile": "podcast"},
 "limits": {"loudness": {"target": -18}}}
JSON`,
  },
  getProfile: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$API/profiles/$PROFILE_ID"`,
    ts: program(
      [],
      `
const { resolved } = await assay.profiles.get('our-podcasts');
console.log(resolved.limits.loudness.target, resolved.failOn);`,
    ),
    cli: 'assay profiles show our-podcasts',
  },
  updateProfile: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  -X PATCH "$API/profiles/$PROFILE_ID" \
  -H 'Content-Type: application/json' -d '{"failOn": "CRITICAL"}'`,
    ts: program(
      [],
      `
const { revision } = await assay.profiles.update('our-podcasts', {
  failOn: 'CRITICAL',
});
console.log(revision);`,
    ),
    cli: `
echo '{"failOn": "CRITICAL"}' |
  assay profiles update our-podcasts --file -`,
  },
  deleteProfile: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  -X DELETE "$API/profiles/$PROFILE_ID"`,
    ts: program(
      [],
      `
await assay.profiles.delete('our-podcasts');
console.log('deleted our-podcasts');`,
    ),
    cli: 'assay profiles delete our-podcasts --yes',
  },
  compareProfiles: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$API/profiles/$PROFILE_ID/compare?with=podcast"`,
    ts: program(
      [],
      `
const { differences } = await assay.profiles.compare(
  'our-podcasts',
  'podcast',
);
for (const { pointer, left, right } of differences)
  console.log(pointer, left, right);`,
    ),
    cli: 'assay profiles diff our-podcasts podcast',
  },
};
