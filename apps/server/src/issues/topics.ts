import { createHash } from 'node:crypto';
import type { Issue, Location } from '@assay/contract/schemas/issue.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import { familyOf } from '@assay/sidekicks/catalogue.ts';
import { describeTopic } from './describe-topic.ts';
import { type Span, spanOf } from './matching/span-of.ts';

export type TopicIssue = Pick<
  Issue,
  'id' | 'referenceNumber' | 'ruleCode' | 'summary' | 'severity' | 'sidekickId' | 'locations'
> & { subject: string };

export type Topic = {
  id: string;
  title: string;
  summary: string;
  severity: Severity;
  /** In the order of reference numbers. */
  issueIds: string[];
  ruleCodes: string[];
  sidekickIds: string[];
};

type IssueSpan = Span & { issue: TopicIssue; family: string };
type Join = (a: TopicIssue, b: TopicIssue) => void;

/** The version changes whenever the same issues may be grouped differently. */
export const topicAlgorithm = { algorithm: 'structural-v1', algorithmVersion: '1.0.0' } as const;

const topicNamespace = 'f2ab2c98-1f1f-4ba8-8209-f65449941a7f';
const gapMsMax = 2000;

/**
 * Rules of two families where one explains the other if they overlap in time. A pair within a family, such as black
 * frames and silence, or missing captions and speech, would add nothing: it is already joined by time.
 */
const causalPairs: readonly { cause: RegExp; effect: RegExp }[] = [
  // A claim lacks its qualification because the qualifying text is illegible.
  { cause: /^CLAIM-.*QUALIF/, effect: /^TEXT-/ },
];

/**
 * Groups two or more issues that are likely to have one cause; an issue in no group is an orphan. A pure function whose
 * result does not depend on the order of the issues.
 */
export function clusterTopics(assetId: string, issues: readonly TopicIssue[]): Topic[] {
  const sorted = issues.toSorted((a, b) => a.referenceNumber - b.referenceNumber || (a.id < b.id ? -1 : 1));
  const { join, find } = createSets<TopicIssue>();
  joinByKey(sorted, join);
  const spans = spansByStart(sorted);
  joinNear(spans, join);
  for (const { cause, effect } of causalPairs) {
    const having = (rule: RegExp) => new Set(sorted.filter(({ ruleCode }) => rule.test(ruleCode)));
    joinOverlapping(spans, having(cause), having(effect), join);
  }
  return [...Map.groupBy(sorted, find).values()]
    .filter((members) => members.length > 1)
    .map((members) => ({
      id: topicId(assetId, members),
      ...describeTopic(members),
      issueIds: members.map(({ id }) => id),
      ruleCodes: sortedUnique(members.map(({ ruleCode }) => ruleCode)),
      sidekickIds: sortedUnique(members.map(({ sidekickId }) => sidekickId)),
    }));
}

const sortedUnique = (values: readonly string[]) => [...new Set(values)].sort();

function joinByKey(issues: readonly TopicIssue[], join: Join): void {
  const firsts = new Map<string, TopicIssue>();
  for (const issue of issues) {
    for (const key of keysOf(issue)) {
      const first = firsts.get(key);
      if (first) join(first, issue);
      else firsts.set(key, issue);
    }
  }
}

/** Issues with a common key belong together. */
function keysOf({ ruleCode, subject, locations }: TopicIssue): string[] {
  const family = familyOf(ruleCode);
  const regions = locations.length === 0 ? ['whole'] : locations.flatMap((location) => regionOf(location) ?? []);
  const keys = regions.map((region) => `${region} ${family}`);
  // Across families and locations, so that adjacent pages need no separate rule. An empty subject carries no
  // information and joins nothing.
  if (subject.trim() !== '') keys.push(`subject ${subject.trim()}`);
  return keys;
}

/** An image has no pages: its boxes belong to one region. */
function regionOf({ page, box, startMs }: Location): string | undefined {
  if (page !== undefined) return `page ${page}`;
  return box && startMs === undefined ? 'image' : undefined;
}

function spansByStart(issues: readonly TopicIssue[]): IssueSpan[] {
  const spans: IssueSpan[] = [];
  for (const issue of issues) {
    const family = familyOf(issue.ruleCode);
    for (const location of issue.locations) {
      const span = spanOf(location);
      if (span) spans.push({ startMs: span.startMs, endMs: span.endMs, issue, family });
    }
  }
  return spans.sort((a, b) => a.startMs - b.startMs);
}

/** Joins issues of a family that overlap or are close in time. */
function joinNear(spans: readonly IssueSpan[], join: Join): void {
  const lasting = new Map<string, IssueSpan>();
  for (const span of spans) {
    const last = lasting.get(span.family);
    if (last && span.startMs - last.endMs <= gapMsMax) join(last.issue, span.issue);
    if (!last || span.endMs > last.endMs) lasting.set(span.family, span);
  }
}

/** Joins causes with the effects that overlap them. */
function joinOverlapping(
  spans: readonly IssueSpan[],
  causes: ReadonlySet<TopicIssue>,
  effects: ReadonlySet<TopicIssue>,
  join: Join,
): void {
  // The longest-lasting issue of each side suffices: a side is one family, whose overlapping issues are already joined.
  const lasting: { cause?: IssueSpan; effect?: IssueSpan } = {};
  for (const span of spans) {
    const isCause = causes.has(span.issue);
    if (!isCause && !effects.has(span.issue)) continue;
    const [own, other] = isCause ? (['cause', 'effect'] as const) : (['effect', 'cause'] as const);
    const opposite = lasting[other];
    if (opposite && opposite.endMs >= span.startMs) join(opposite.issue, span.issue);
    if (span.endMs >= (lasting[own]?.endMs ?? 0)) lasting[own] = span;
  }
}

/** Disjoint sets (union-find); each object starts as its own set. */
function createSets<Member extends object>() {
  const parents = new Map<Member, Member>();
  const find = (member: Member): Member => {
    let root = member;
    for (let parent = parents.get(root); parent; parent = parents.get(root)) root = parent;
    if (root !== member) parents.set(member, root);
    return root;
  };
  const join = (a: Member, b: Member): void => {
    const [root, other] = [find(a), find(b)];
    if (root !== other) parents.set(other, root);
  };
  return { find, join };
}

/** Equal for the same issues of the same asset. */
function topicId(assetId: string, issues: readonly TopicIssue[]): string {
  return uuidV5([assetId, ...issues.map(({ id }) => id).sort()].join(' '));
}

/** RFC 9562 §5.5. */
function uuidV5(name: string): string {
  const namespace = Buffer.from(topicNamespace.replaceAll('-', ''), 'hex');
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
