import { z } from 'zod';
import { severities } from './severity.ts';

// Fields that several schemas share, each described once. Examples are written only where no example document of a
// route contains the field.

export const workspaceId = z.uuid().meta({
  description: 'The workspace that the resource belongs to. An API key can access only its own workspace.',
});
export const submissionId = z.uuid().meta({ description: 'ID of the submission; `submission_id` in paths.' });
export const assetId = z.uuid().meta({
  description: 'ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID.',
});
export const sidekickId = z.uuid().meta({ description: 'ID of the check; `sidekick_id` in paths.' });

export const mode = z.enum(['live', 'sandbox']).meta({
  description: 'The kind of API key that created the submission. In `sandbox` mode nothing is analysed.',
});

// Versions.
export const versionGroupId = z.uuid().meta({ description: 'Shared by all versions of one asset.' });
export const versionNumber = z.int().min(1).meta({
  description: 'Counts the versions of an asset from 1. The number of a deleted version is not reused.',
});

// Issues.
export const ruleCode = z.string().meta({
  description: 'Code of the rule. `GET /sidekicks` lists the rules of each check.',
});
export const severity = z.enum(severities).meta({
  description: 'How serious it is, from CRITICAL (most) to INFO (least).',
});

/** Number of issues with a status. */
export const statusCount = (status: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `Number of issues with the status ${status}.` });

/** Returns the field with another description, for a place where it has a more specific meaning. */
export const meaning = <Field extends z.ZodType>(field: Field, description: string): Field =>
  field.meta({ description }) as Field;

export const grade = z.strictObject({
  beyond: z.number().min(0).max(1_000_000).meta({
    description: 'Distance of `measured` from `limit`, in the unit of the issue, from which this severity applies.',
  }),
  severity: meaning(severity, 'Severity of an issue at this distance or further.'),
});
