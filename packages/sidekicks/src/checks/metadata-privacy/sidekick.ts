import { defineSidekick } from '#sidekick/sidekick.ts';
import { causes } from './causes.ts';
import { examinedTags } from './examined-tags.ts';
import { collectMetadata } from './facts.ts';
import { judgeDevice } from './judge-device.ts';
import { judgeLocation } from './judge-location.ts';
import { judgePaths } from './judge-paths.ts';
import { judgePeople } from './judge-people.ts';
import { judgeThumbnail } from './judge-thumbnail.ts';
import { judgeUnread } from './judge-unread.ts';
import { rules } from './rules.ts';

const version = '1.2.0';

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
  notVerified: 'META-NOT-VERIFIED',
  causes,
  // Plain text has no metadata.
  nothingToExamine: ({ metadata, probe }) => (metadata === null && probe === null ? 'nothing_in_file' : null),
  examined: examinedTags,
  check: (evidence) => {
    const facts = collectMetadata(evidence);
    const readers = [evidence.metadata?.reader, evidence.probe?.reader].filter(Boolean).join(', ') || 'not read';
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
