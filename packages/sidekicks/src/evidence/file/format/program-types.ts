/** Formats of programs, and of packages that install one. */
export const programTypes = new Set([
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-vm',
  'application/wasm',
  'application/x-ms-shortcut',
  'application/vnd.android.package-archive',
  'application/x-google-chrome-extension',
  'application/x-deb',
  'application/x-rpm',
]);
