/** Kills a process that was started as the first of its own process group, and all processes of that group. */
export function killGroup({ pid }: { readonly pid?: number | undefined }): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes of the group have exited.
  }
}
