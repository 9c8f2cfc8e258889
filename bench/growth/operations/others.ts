import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { findWrongRights, readDatabaseFacts } from '@assay/server/admin/doctor/store.ts';
import { insertAction, selectActions } from '@assay/server/modules/audit/store.ts';
import * as idempotency from '@assay/server/modules/idempotency/store.ts';
import * as keys from '@assay/server/modules/identity/keys/store.ts';
import { findBuiltIn } from '@assay/server/modules/profiles/built-in.ts';
import type { FoundProfile } from '@assay/server/modules/profiles/profile-row.ts';
import * as revisions from '@assay/server/modules/profiles/revisions/revision-store.ts';
import * as profiles from '@assay/server/modules/profiles/store.ts';
import * as workspaces from '@assay/server/modules/workspaces/store.ts';
import { serviceRole } from '@assay/stack/instance.ts';
import type { Operations } from './operation.ts';
import { idAt } from './submissions.ts';

const hmac = () => Buffer.from(randomUUID().replaceAll('-', '').repeat(2), 'hex');
const route = 'POST /submissions';
const general = findBuiltIn('general') as FoundProfile;
const revision = (profileId: string, number: number, now: Date): profiles.NewRevision => ({
  profileId,
  name: `profile-${number}`,
  revision: number,
  document: general.document,
  resolved: general.resolved,
  depth: 1,
  extends: { profileId: general.profileId, name: general.name, revision: 1 },
  createdAt: now,
});

const operator = { name: null, osUser: 'operator', host: 'host' };

export const others: Operations = {
  insertAction: (db, { workspaceId }) =>
    insertAction(db, {
      operator,
      command: 'key create',
      outcome: 'completed',
      workspaceId,
      arguments: {},
      result: {},
    }),
  'selectActions: all': (db) => selectActions(db, { workspaceId: undefined, beforeId: undefined, limit: 100 }),
  'selectActions: of a workspace': (db, { workspaceId, late }) =>
    selectActions(db, { workspaceId, beforeId: idAt(late), limit: 100 }),

  insertWorkspace: (db) => workspaces.insertWorkspace(db, 'new', 'pro'),
  selectWorkspaces: (db) => workspaces.selectWorkspaces(db),
  updateWorkspace: (db, { workspaceId }) => workspaces.updateWorkspace(db, workspaceId, { tier: 'pro' }),
  selectOwnProfile: (db, { workspaceId }) => workspaces.selectOwnProfile(db, workspaceId, 'profile-7'),
  findWorkspace: (db, { workspaceId }) => workspaces.findWorkspace(db, workspaceId),
  countOwned: (db, { workspaceId }) => workspaces.countOwned(db, workspaceId),
  chargeAsset: (db, { workspaceId, unfinished }) => workspaces.chargeAsset(db, workspaceId, unfinished.assetId, 1),
  sumCreditsByMonth: (db, { workspaceId }) => workspaces.sumCreditsByMonth(db, workspaceId),
  readUsage: (db, { workspaceId }) => workspaces.readUsage(db, workspaceId),

  insertKey: (db, { workspaceId }) =>
    keys.insertKey(db, workspaceId, {
      mode: 'live',
      hmac: hmac(),
      pepperId: 'a',
      prefix: 'key',
      lastFour: '0000',
      name: 'new',
      scopes: ['read'],
      expiresAt: null,
    }),
  selectKeys: (db, { workspaceId }) => keys.selectKeys(db, workspaceId),
  listKeys: (db, { workspaceId, keyId }) => keys.listKeys(db, workspaceId, keyId, 101),
  findKeyOf: (db, { workspaceId, keyId }) => keys.findKeyOf(db, workspaceId, keyId),
  lockKeys: (db, { workspaceId }) => keys.lockKeys(db, workspaceId),
  hasRoomForKey: (db, { workspaceId, now }) => keys.hasRoomForKey(db, workspaceId, now),
  changeKey: (db, { workspaceId, keyId, now }) =>
    keys.changeKey(db, workspaceId, keyId, { name: 'renamed', expiresAt: now }),
  markRevoked: (db, { keyId, now }) => keys.markRevoked(db, keyId, now),
  revokeKeys: (db, { workspaceId, now }) => keys.revokeKeys(db, workspaceId, now),
  findKey: (db) => keys.findKey(db, [hmac()]),
  findKeyById: (db, { keyId }) => keys.findKeyById(db, keyId),
  rehashKey: (db, { keyId }) => keys.rehashKey(db, keyId, hmac(), 'a'),
  countKeysByPepper: (db) => keys.countKeysByPepper(db, 'a'),
  touchKey: (db, { keyId, now }) => keys.touchKey(db, keyId, now),

  'findOwnProfile: by id': (db, { workspaceId, profileId }) => profiles.findOwnProfile(db, workspaceId, { profileId }),
  'findOwnProfile: by name': (db, { workspaceId }) => profiles.findOwnProfile(db, workspaceId, { name: 'profile-7' }),
  findPinnedRevision: (db, { workspaceId, profileId }) => profiles.findPinnedRevision(db, workspaceId, profileId, 1),
  listOwnProfiles: (db, { workspaceId }) => profiles.listOwnProfiles(db, workspaceId),
  lockProfiles: (db, { workspaceId }) => profiles.lockProfiles(db, workspaceId),
  hasRoomForProfile: (db, { workspaceId }) => profiles.hasRoomForProfile(db, workspaceId),
  insertProfile: (db, { workspaceId, now }) =>
    profiles.insertProfile(db, workspaceId, 'live', revision(randomUUIDv7(), 1000, now)),
  addRevision: (db, { workspaceId, profileId, now }) =>
    profiles.addRevision(db, workspaceId, revision(profileId, 1000, now)),
  markProfilesDeleted: (db, { workspaceId, now }) => profiles.markProfilesDeleted(db, workspaceId, now),
  markProfileDeleted: (db, { workspaceId, profileId, now }) =>
    profiles.markProfileDeleted(db, workspaceId, profileId, now),
  claimDeletedProfiles: (db, { now }) => revisions.claimDeletedProfiles(db, now, now, 50),
  deleteUnreferenced: (db, { workspaceId, deletedProfileId }) =>
    revisions.deleteUnreferenced(db, { profileId: deletedProfileId, workspaceId }, 100),
  deleteWithoutRevisions: (db, { workspaceId, deletedProfileId }) =>
    revisions.deleteWithoutRevisions(db, { profileId: deletedProfileId, workspaceId }),
  findDefaultProfileKey: (db, { workspaceId }) => profiles.findDefaultProfileKey(db, workspaceId),

  tryLockIdempotencyKey: (db, { workspaceId }) => idempotency.tryLockIdempotencyKey(db, workspaceId, route, 'new'),
  findIdempotencyKey: (db, { workspaceId, early }) =>
    idempotency.findIdempotencyKey(db, workspaceId, route, 'new', early),
  insertIdempotencyKey: (db, { workspaceId, now }) =>
    idempotency.insertIdempotencyKey(db, workspaceId, {
      route,
      key: 'new',
      fingerprint: hmac(),
      response: {},
      createdAt: now,
    }),
  deleteIdempotencyKeysOf: (db, { workspaceId }) => idempotency.deleteIdempotencyKeysOf(db, workspaceId, 100),
  deleteIdempotencyKeys: (db, { now }) => idempotency.deleteIdempotencyKeys(db, now, 100),

  findWrongRights: (db) => findWrongRights(db, serviceRole),
  readDatabaseFacts: (db) => readDatabaseFacts(db, 60),
};
