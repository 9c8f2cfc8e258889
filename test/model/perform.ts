import type { CommandOf, Op } from './commands.ts';
import type { Model } from './model.ts';
import { cancel, remove, replay, retry } from './perform-changes.ts';
import { list, me, poll, results, settle, versions } from './perform-reads.ts';
import { submit } from './perform-submits.ts';
import { put, tidy, upload, url } from './perform-uploads.ts';
import type { Session } from './session.ts';

type Performers = { [Name in Op]: (command: CommandOf<Name>, model: Model, session: Session) => Promise<void> };

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
  tidy,
};

/** Sends what the command says, holds the answer against the model, and makes the model follow. */
export function perform<Name extends Op>(command: CommandOf<Name>, model: Model, session: Session): Promise<void> {
  return performers[command.op](command, model, session);
}
