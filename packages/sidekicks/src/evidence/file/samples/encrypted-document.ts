/** A compound file with the directory of a document that Office has encrypted with a password. */
export function encryptedDocument(): Buffer {
  const file = Buffer.alloc(512 * 4);
  file.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  file.writeUInt16LE(9, 30); // sectors of 512 bytes
  file.writeUInt32LE(1, 48); // the directory is in the second one
  for (const [i, name] of ['Root Entry', 'EncryptionInfo', 'EncryptedPackage'].entries()) {
    file.write(name, 1024 + i * 128, 'utf16le');
  }
  return file;
}
