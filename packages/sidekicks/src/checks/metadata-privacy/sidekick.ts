import { defineSidekick } from '#sidekick/sidekick.ts';
import { causes } from './causes.ts';
import { collectFacts } from './facts.ts';
import { judgeDevice } from './judge-device.ts';
import { judgeLocation } from './judge-location.ts';
import { judgePaths } from './judge-paths.ts';
import { judgePeople } from './judge-people.ts';
import { judgeThumbnail, judgeUnread } from './judge-thumbnail.ts';
import { rules } from './rules.ts';

const version = '1.1.0';

/** Checks what the metadata reveals about people, places and devices. */
export const sidekick = defineSidekick({
  id: '2f6b6ffd-44cc-469e-839f-c3c3ba7874b6',
  name: 'Metadata privacy',
  topicLabel: 'Metadata',
  shortName: 'metadata-privacy',
  version,
  description: 'Finds coordinates, names, serial numbers, file paths and thumbnails in the metadata of a file.',
  appliesTo: ['video', 'audio', 'image', 'document'],
  isDefault: true,
  needs: ['metadata', 'probe'],
  rules,
  causes,
  // Plain text has no metadata.
  applies: ({ metadata, probe }) => metadata !== null || probe !== null,
  check: (evidence) => {
    const facts = collectFacts(evidence);
    const readers = [evidence.metadata?.reader, evidence.probe?.reader].filter(Boolean).join(', ');
    return [
      ...judgeLocation(facts, evidence),
      ...judgePeople(facts),
      ...judgeDevice(facts),
      ...judgePaths(facts),
      ...judgeThumbnail(evidence),
      ...judgeUnread(evidence),
    ].map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${readers}; metadata-privacy ${version})`,
    }));
  },
});
