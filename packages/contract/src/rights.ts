/** What an API key may do. Each route requires at most one scope. */
export const scopes = ['read', 'submit', 'decide', 'webhooks', 'profiles', 'manage'] as const;
export type Scope = (typeof scopes)[number];

export const scopeMeanings: Record<Scope, string> = {
  read: 'read submissions, results, checks and delivery profiles, and follow live streams',
  submit: 'upload files; create, cancel, retry and delete submissions',
  decide: 'decide on issues',
  webhooks: 'read and change webhook subscriptions, replay their deliveries, and fire events in the sandbox',
  profiles: 'create, change and delete delivery profiles',
  manage: 'list, create, change and revoke API keys',
};

/** The scopes of a key that was created without any: all that do not concern other keys. */
export const usualScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'manage');

/** What a person may do in a workspace. Each role includes those before it; an `admin` has every workspace. */
export const roles = ['viewer', 'reviewer', 'manager', 'admin'] as const;
export type Role = (typeof roles)[number];
export const roleNote =
  'The description of each endpoint also names the role that a person needs: `viewer`, `reviewer`, `manager` or `admin`, each of which includes those before it. People cannot sign in yet: at present every request needs a key.';

/** Who can act. Decisions from before actors were recorded are by `unknown`. */
export const actorKinds = ['api_key', 'person', 'operator', 'service', 'unknown'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** What a call can change, besides uploads and new submissions. */
export const auditActions = [
  'submission.cancelled',
  'submission.deleted',
  'asset.retried',
  'issue.decided',
  'profile.created',
  'profile.changed',
  'profile.deleted',
  'subscription.created',
  'subscription.changed',
  'subscription.deleted',
  'subscription.secret_rotated',
  'delivery.replayed',
  'deliveries.replayed',
  'key.created',
  'key.changed',
  'key.revoked',
] as const;
export type AuditAction = (typeof auditActions)[number];
