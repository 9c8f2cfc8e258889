import { z } from 'zod';
import type { Backend } from './backend.ts';

/** The differences between object stores. Each store has a folder with this description and its backend. */
export type Store<Variables extends z.ZodRawShape, Settings> = {
  /** Its environment variables. An empty string means that the variable is not set. */
  variables: Variables;
  /** Variables that must be set if new media are stored there, or if another of its variables is set. */
  required: readonly VariableName<Variables>[];
  /** Groups of variables that must be set together or not at all. */
  together: readonly (readonly VariableName<Variables>[])[];
  /** Variables that can also be set as NAME_FILE. */
  secrets: readonly VariableName<Variables>[];
  /** The variables for the URL that the service uses and the one that callers use, which defaults to the first. */
  urls: { service: VariableName<Variables>; callers: VariableName<Variables> };
  /** Conflicts between its variables, each as a line that begins with the name of a variable. */
  findConflicts(values: VariableValues<Variables>): string[];
  settingsOf(values: VariableValues<Variables>): Settings;
  /** Where new blobs are stored with these settings. */
  homeOf(settings: Settings): { account: string; container: string };
  /** The address at which the service reaches the store. */
  endpointOf(settings: Settings): string;
  /** Called only if the store is configured, so that its library is imported only then. */
  open(settings: Settings): Promise<Backend>;
};

type VariableName<Variables> = keyof Variables & string;
type VariableValues<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>;

export const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL.' })
  .transform((url) => url.replace(/\/+$/, ''));
