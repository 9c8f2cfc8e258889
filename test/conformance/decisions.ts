/**
 * What the interface leaves open and we decided: number → decision. A test that guards one names it in its title
 * (`§D4`).
 */
export const decisions: Record<string, string> = {
  D1: 'Assets that name one earlier submission are matched as a whole: by name, by name without case, by category, by position. 422 only where nothing decides. The answer says which asset was continued and why.',
  D2: 'A live asset is not retryable for a sandbox key, and every text agrees with isRetryable.',
  D3: 'All versions come on the first page, up to 1,000.',
  D4: 'A JSON body is read whatever its Content-Type says, and an empty body has none. 415 is for files.',
  D5: 'Every member of metadata is data, also __proto__. Integers that cannot be kept exactly are 422.',
  D6: 'A Content-Encoding, a body over 1 MiB and an unknown query parameter are 422 and say why.',
  D7: 'A trailing slash is the same route.',
  D8: 'A file name comes back as it was sent, from every way to write it in a multipart body. One that is not UTF-8 is 403.',
  D9: 'A list holds submissions of the mode of the key, unless another mode is asked for. Versions share numbers over both modes.',
  D10: 'Pages of configured origins may call the API, and open a stream by ticket. Other origins may not.',
  D11: 'A submission has a weak ETag: a poll without news is 304.',
  D12: '201 says by Location where what it made can be read.',
  D13: 'Answers over 1 KiB are compressed on request; streams never are.',
  D14: 'X-Request-Id of the caller is taken over when it is well-formed.',
  D15: 'Moments in a query may have an offset.',
  D16: 'Links in an answer stand below the prefix of the request.',
  D17: 'metadata.clientReference, a string of at most 200 characters, comes back in events; nothing else of metadata does.',
};
