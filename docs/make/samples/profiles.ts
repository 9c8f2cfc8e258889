import type { profileRoutes } from '@assay/contract/routes/profiles.ts';
import { program, request, type SamplesOf } from './sample.ts';

export const profileSamples: SamplesOf<typeof profileRoutes> = {
  listProfiles: {
    curl: request('"$API/profiles"'),
    ts: program(`
for await (const { name, revision, title } of assay.profiles.list())
  console.log(name, revision, title);`),
    cli: 'assay profiles list',
  },
  createProfile: {
    curl: request(`"$API/profiles" -H 'Content-Type: application/json' -d @- <<END
{"name": "$PROFILE_NAME",
 "limits": {"loudness": {"target": -16}},
 "rules": [{"ruleCode": "LOUD-TRUE-PEAK", "severity": "MAJOR"}]}
END`),
    ts: program(`
const profile = await assay.profiles.create({
  name: PROFILE_NAME,
  limits: { loudness: { target: -16 } },
  rules: [{ ruleCode: 'LOUD-TRUE-PEAK', severity: 'MAJOR' }],
});
console.log(profile.name, profile.revision);`),
    cli: `
assay profiles create --file - <<END
{"name": "$PROFILE_NAME",
 "limits": {"loudness": {"target": -16}},
 "rules": [{"ruleCode": "LOUD-TRUE-PEAK", "severity": "MAJOR"}]}
END`,
  },
  getProfile: {
    curl: request('"$API/profiles/$PROFILE_ID"'),
    ts: program(`
const { name, resolved } = await assay.profiles.get(PROFILE_ID);
console.log(name, resolved.failOn, resolved.limits.loudness.target);`),
    cli: 'assay profiles show "$PROFILE_ID"',
  },
  updateProfile: {
    curl: request(String.raw`-X PATCH "$API/profiles/$PROFILE_ID" \
  -H 'Content-Type: application/json' -d '{"failOn": "CRITICAL"}'`),
    ts: program(`
const profile = await assay.profiles.update(PROFILE_ID, {
  failOn: 'CRITICAL',
});
console.log(profile.name, profile.revision);`),
    cli: `
assay profiles update "$PROFILE_ID" --file - <<END
{"failOn": "CRITICAL"}
END`,
  },
  deleteProfile: {
    curl: request('-X DELETE "$API/profiles/$PROFILE_ID"'),
    ts: program(`
await assay.profiles.delete(PROFILE_ID);
console.log('deleted', PROFILE_ID);`),
    cli: 'assay profiles delete "$PROFILE_ID" --yes',
  },
  compareProfiles: {
    curl: request('"$API/profiles/$PROFILE_ID/compare?with=general"'),
    ts: program(`
const comparison = await assay.profiles.compare(PROFILE_ID, 'general');
for (const { pointer, left, right } of comparison.differences)
  console.log(pointer, left, right);`),
    cli: 'assay profiles diff "$PROFILE_ID" general',
  },
};
