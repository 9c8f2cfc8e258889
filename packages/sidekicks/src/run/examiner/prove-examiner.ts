import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { proveExaminerJail } from '@assay/jail/examiner/prove-examiner-jail.ts';
import type { JailLevel } from '@assay/jail/levels.ts';
import { builtInProfile, originOfBuiltIn } from '#profiles/built-in-profiles.ts';
import { examinerPaths } from './examiner-paths.ts';
import { openExaminers } from './examiners.ts';
import { createToolMemory } from './tool-memory.ts';

/** The smallest GIF, for which three kinds of tools run. */
const image = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const limits = { heapMegabytes: 256, secondsMin: 60, secondsPerSecond: 0, secondsMax: 60 };

/** Nothing else runs yet. */
const toolMemoryBytes = 2 ** 30;

/** Throws if an examiner in this jail could leave it, or cannot examine a file with tools in jails of the same kind. */
export async function proveExaminer(level: JailLevel): Promise<void> {
  await proveExaminerJail(level, examinerPaths());
  await examineImage(level);
}

async function examineImage(level: JailLevel): Promise<void> {
  const examiners = openExaminers({ ...limits, jail: level }, 0, createToolMemory(toolMemoryBytes));
  const [profile, origin] = [builtInProfile('ebu-r128'), originOfBuiltIn('ebu-r128')];
  try {
    await withAnonymousFile(image, (fd) => {
      const file = { fd, sizeBytes: image.length, filename: 'image.gif' };
      const request = { ...file, sidekickIds: null, profile, origin, jail: level };
      return examiners.examine('proof', request, { signal: new AbortController().signal, report() {} });
    });
  } finally {
    await examiners.close();
  }
}
