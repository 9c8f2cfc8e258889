import type { profileRoutes } from '@assay/contract/routes/profiles.ts';
import { curlCommand, type SamplesOf, tsProgram } from './sample.ts';

export const profileSamples: SamplesOf<typeof profileRoutes> = {
  listProfiles: {
    curl: curlCommand('"$API/profiles"'),
    ts: tsProgram(`
for await (const { name, revision, title } of assay.profiles.list())
  console.log(name, revision, title);`),
    cli: 'assay profiles list',
  },
  createProfile: {
    curl: curlCommand(`"$API/profiles" -H 'Content-Type: application/json' -d @- <<END
{"name": "$PROFILE_NAME",
 "limits": {"loudness": {"target": -16}},
 "rules": [{"ruleCode": "LOUD-TRUE-PEAK", "severity": "MAJOR"}]}
END`),
    ts: tsProgram(`
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
    curl: curlCommand('"$API/profiles/$PROFILE_ID"'),
    ts: tsProgram(`
const { name, resolved } = await assay.profiles.get(PROFILE_ID);
console.log(name, resolved.failOn, resolved.limits.loudness.target);`),
    cli: 'assay profiles show "$PROFILE_ID"',
  },
  updateProfile: {
    curl: curlCommand(String.raw`-X PATCH "$API/profiles/$PROFILE_ID" \
  -H 'Content-Type: application/json' -d '{"failOn": "CRITICAL"}'`),
    ts: tsProgram(`
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
    curl: curlCommand('-X DELETE "$API/profiles/$PROFILE_ID"'),
    ts: tsProgram(`
await assay.profiles.delete(PROFILE_ID);
console.log('deleted', PROFILE_ID);`),
    cli: 'assay profiles delete "$PROFILE_ID" --yes',
  },
  compareProfiles: {
    curl: curlCommand('"$API/profiles/$PROFILE_ID/compare?with=general"'),
    ts: tsProgram(`
const comparison = await assay.profiles.compare(PROFILE_ID, 'general');
for (const { pointer, left, right } of comparison.differences)
  console.log(pointer, left, right);`),
    cli: 'assay profiles diff "$PROFILE_ID" general',
  },
};
