/**
 * Our decisions where the interface leaves a choice, by number. A test that guards one names it in its title (`§D4`).
 */
export const decisions: Record<string, string> = {
  D1: 'Assets that name the same earlier submission are matched together: by name, by name ignoring case, by category, by position. 422 only if no rule decides. The response says which asset was continued and why.',
  D2: 'A live asset is not retryable with a sandbox key, and every text agrees with isRetryable.',
  D3: 'The first page contains all versions, up to 1,000.',
  D4: 'A JSON body is accepted with any Content-Type; an empty body needs none. 415 is for files.',
  D5: 'Every member of metadata is data, including __proto__. Integers that cannot be stored exactly are 422.',
  D6: 'A Content-Encoding, a body over 1 MiB and an unknown query parameter are 422; the response says why.',
  D7: 'A trailing slash is the same route.',
  D8: 'A file name is returned as it was sent, however it was written in the multipart body. A name that is not UTF-8 is 403.',
  D9: 'A list contains the submissions of the mode of the key, unless another mode is requested. Both modes share version numbers.',
  D10: 'Pages of configured origins may call the API, and open a stream with a ticket. Other origins may not.',
  D11: 'A submission has a weak ETag: a poll without changes is 304.',
  D12: '201 has a Location header with the URL of the created resource.',
  D13: 'Responses over 1 KiB are compressed on request; streams never are.',
  D14: 'The X-Request-Id of the caller is used if it is well-formed.',
  D15: 'Times in a query may have an offset.',
  D16: 'Links in a response begin with the prefix of the request.',
  D17: 'Events contain metadata.clientReference, a string of at most 200 characters, and no other metadata.',
};
