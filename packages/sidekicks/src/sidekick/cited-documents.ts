import type { Clause, Standard } from '@assay/contract/schemas/issue.ts';

type CitedDocument = {
  /** Whether we read the document itself, at least the clauses that are cited. */
  isVerified: boolean;
  /** What we read, and where. */
  read: string;
};

/** Every document that a rule or a built-in profile cites. A copy on a site of somebody else is not the original. */
export const citedDocuments = {
  'WCAG 2.2': {
    isVerified: true,
    read: 'The success criteria 1.2.1, 1.2.2 and 2.3.1 and the flash thresholds, in the repository of the W3C (w3c/wcag).',
  },
  'AMWA AS-11 UK DPP HD': {
    isVerified: true,
    read: 'The specification in the repository of the AMWA (AMWA-TV/AS-11_UK_DPP_HD), which calls it work in progress.',
  },
  'XR North America': { isVerified: true, read: 'The page of the specifications in the help centre of XR.' },
  'TikTok Ads': { isVerified: true, read: 'The page on video ads in the help centre of TikTok.' },
  'DPP, AS-11 UK DPP': { isVerified: true, read: 'The page of the DPP about the format.' },
  YouTube: { isVerified: true, read: 'The page on upload encoding settings in the help centre of YouTube.' },
  'EBU R 128 (version 4.0, 2020)': {
    isVerified: false,
    read: 'The page of the EBU about the recommendation, which gives the target and both tolerances of loudness.',
  },
  'EBU R 128 s1': { isVerified: false, read: 'The announcement of the EBU (2014), and a report on version 2.0.' },
  'EBU Tech 3341': { isVerified: false, read: 'The tests of libebur128, which quote the tolerances of meters.' },
  'EBU R 103 (version 3.0, 2020)': {
    isVerified: false,
    read: 'EBU QC item 0051B and the announcement of version 2 (2016).',
  },
  'ITU-R BS.1770-4': { isVerified: false, read: 'Its table of contents at the ITU.' },
  'ITU-R BT.1702-3': { isVerified: false, read: 'Documents that quote it.' },
  'Ofcom guidance notes, Section Two': {
    isVerified: false,
    read: 'The handbook of Channel 4 for producers, which quotes Annex 1.',
  },
  'ATSC A/85:2013': { isVerified: false, read: 'The specifications of NBCUniversal, which have the same limits.' },
  'AES TD1008.1.21-9': { isVerified: false, read: 'Articles in Radio World, and notes of the project headroom.' },
  'Apple Podcasts for Creators': {
    isVerified: false,
    read: 'The page of Apple in German for formats; loudness as quoted in an issue of pyloudnorm.',
  },
  'Spotify for Artists': { isVerified: false, read: 'The page of Spotify as quoted by Softube.' },
  'DPP Technical Standards': {
    isVerified: false,
    read: 'An edition of TVT as copied by docslib.org, and for true peaks an article on filmtechapp.com.',
  },
  'ISO 32000-1:2008': { isVerified: false, read: 'Not recorded.' },
  'ISO 32000-2:2020': { isVerified: false, read: 'Not recorded.' },
  CWE: { isVerified: false, read: 'Copies of the entries on other sites than that of MITRE.' },
  'Regulation (EU) 2016/679 (GDPR)': { isVerified: false, read: 'The text of the articles as copied by other sites.' },
} as const satisfies Record<string, CitedDocument>;

export type DocumentName = keyof typeof citedDocuments;

/** A clause of a document in the table above. */
export function citeClause(name: DocumentName, clause: string): Standard {
  return { name, clause, isVerified: citedDocuments[name].isVerified };
}

/** A clause that a data file names. A document that is not in the table has not been read. */
export function asStandard({ name, clause }: Clause): Standard {
  const isVerified = Object.hasOwn(citedDocuments, name) && citedDocuments[name as DocumentName].isVerified;
  return { name, clause, isVerified };
}
