import type { CommandName, CommandOf } from '../commands.ts';
import { noteInitialStates } from '../initial-states.ts';
import type { Model } from '../model.ts';
import type { Session } from '../session.ts';
import { cancel, remove, replay, retry } from './perform-changes.ts';
import { decide } from './perform-decisions.ts';
import { deliveries, resend } from './perform-deliveries.ts';
import { events, fire } from './perform-events.ts';
import { list, me, poll, results, settle, versions } from './perform-reads.ts';
import { follow, resume, watch } from './perform-streams.ts';
import { submit } from './perform-submits.ts';
import { change, subscribe, subscription, subscriptions, unsubscribe } from './perform-subscriptions.ts';
import { purge, put, upload, url } from './perform-uploads.ts';

type Performers = {
  [Name in CommandName]: (command: CommandOf<Name>, model: Model, session: Session) => Promise<void>;
};

const performers: Performers = {
  upload,
  url,
  put,
  submit,
  version: submit,
  retry,
  cancel,
  delete: remove,
  replay,
  poll,
  settle,
  versions,
  asset: results,
  issues: results,
  topics: results,
  list,
  me,
  purge,
  decide,
  subscribe,
  change,
  unsubscribe,
  subscription,
  subscriptions,
  deliveries,
  resend,
  fire,
  events,
  follow,
  watch,
  resume,
};

/** Executes the command, checks the response against the model, and updates the model. */
export async function perform<Name extends CommandName>(
  command: CommandOf<Name>,
  model: Model,
  session: Session,
): Promise<void> {
  model.step++;
  await performers[command.op](command, model, session);
  noteInitialStates(model);
}
