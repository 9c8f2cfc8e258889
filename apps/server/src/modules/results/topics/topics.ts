import { createHash } from 'node:crypto';
import type { Issue, Location } from '@assay/contract/schemas/issue.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import { causes } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Cause } from '@assay/sidekicks/sidekick/sidekick.ts';
import { bySeverity, combineIssues } from '../by-severity.ts';
import { type Span, spanOf } from '../matching/span-of.ts';
import { describeTopic } from './describe-topic.ts';

export type TopicIssue = Pick<
  Issue,
  'id' | 'referenceNumber' | 'ruleCode' | 'summary' | 'severity' | 'sidekickId' | 'locations'
> & { subject: string };

export type Topic = {
  id: string;
  title: string;
  summary: string;
  severity: Severity;
  /** Ordered by reference number. */
  issueIds: string[];
  ruleCodes: string[];
  sidekickIds: string[];
};

type IssueSpan = Span & { issue: TopicIssue };
type JoinIssues = (a: TopicIssue, b: TopicIssue) => void;

/** The version changes whenever the same issues may be grouped differently. */
export const topicAlgorithm = { algorithm: 'structural-v1', algorithmVersion: '2.0.0' } as const;

const topicNamespace = 'f2ab2c98-1f1f-4ba8-8209-f65449941a7f';
const gapMsMax = 2000;

/**
 * Groups two or more issues that share a cause: one rule at nearby locations, one subject, or one of `causes`. An issue
 * in no group is an orphan. A pure function whose result does not depend on the order of the issues. The most severe
 * topic comes first.
 */
export function clusterTopics(assetId: string, issues: readonly TopicIssue[]): Topic[] {
  const sorted = issues.toSorted((a, b) => a.referenceNumber - b.referenceNumber || (a.id < b.id ? -1 : 1));
  const { join, find } = createDisjointSets<TopicIssue>();
  joinByKey(sorted, join);
  const spans = spansByStart(sorted);
  for (const ofRule of Map.groupBy(spans, ({ issue }) => issue.ruleCode).values()) joinNear(ofRule, join);
  for (const cause of causes) joinByCause(cause, sorted, spans, join);
  return [...Map.groupBy(sorted, find).values()]
    .filter((members) => members.length > 1)
    .map((members) => ({ members, topic: topicOf(assetId, members) }))
    .sort(
      (a, b) => bySeverity(combineIssues(a.members), combineIssues(b.members)) || (a.topic.id < b.topic.id ? -1 : 1),
    )
    .map(({ topic }) => topic);
}

function topicOf(assetId: string, members: readonly TopicIssue[]): Topic {
  return {
    id: topicId(assetId, members),
    ...describeTopic(members),
    issueIds: members.map(({ id }) => id),
    ruleCodes: sortedUnique(members.map(({ ruleCode }) => ruleCode)),
    sidekickIds: sortedUnique(members.map(({ sidekickId }) => sidekickId)),
  };
}

const sortedUnique = (values: readonly string[]) => [...new Set(values)].sort();

function joinByKey(issues: readonly TopicIssue[], join: JoinIssues): void {
  const firsts = new Map<string, TopicIssue>();
  for (const issue of issues) {
    for (const key of keysOf(issue)) {
      const first = firsts.get(key);
      if (first) join(first, issue);
      else firsts.set(key, issue);
    }
  }
}

/** Returns the keys of an issue. Issues with a common key belong to the same topic. */
function keysOf({ ruleCode, subject, locations }: TopicIssue): string[] {
  const regions = locations.length === 0 ? ['whole'] : locations.flatMap((location) => regionOf(location) ?? []);
  const near = causes.filter((cause) => cause.where === 'near' && cause.ruleCodes.includes(ruleCode));
  const names = [ruleCode, ...near.map(({ title }) => title)];
  const keys = regions.flatMap((region) => names.map((name) => `${region} ${name}`));
  // A common subject joins issues across rules and locations, for example on adjacent pages. An empty subject carries
  // no information and joins nothing.
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
    for (const location of issue.locations) {
      const span = spanOf(location);
      if (span) spans.push({ startMs: span.startMs, endMs: span.endMs, issue });
    }
  }
  return spans.sort((a, b) => a.startMs - b.startMs);
}

function joinByCause(cause: Cause, issues: readonly TopicIssue[], spans: readonly IssueSpan[], join: JoinIssues): void {
  const isOfCause = ({ ruleCode }: TopicIssue) => cause.ruleCodes.includes(ruleCode);
  const isSpanOfCause = ({ issue }: IssueSpan) => isOfCause(issue);
  if (cause.where === 'anywhere') joinRules(issues.filter(isOfCause), join);
  else if (cause.where === 'near') joinNear(spans.filter(isSpanOfCause), join);
  else joinSimultaneous(spans.filter(isSpanOfCause), join);
}

/** Joins all of these issues if they belong to at least two rules. */
function joinRules(issues: readonly TopicIssue[], join: JoinIssues): void {
  const [first, ...rest] = issues;
  if (!first || rest.every(({ ruleCode }) => ruleCode === first.ruleCode)) return;
  for (const issue of rest) join(first, issue);
}

/** Joins issues that overlap or are close in time. */
function joinNear(spans: readonly IssueSpan[], join: JoinIssues): void {
  let lasting: IssueSpan | undefined;
  for (const span of spans) {
    if (lasting && span.startMs - lasting.endMs <= gapMsMax) join(lasting.issue, span.issue);
    if (!lasting || span.endMs > lasting.endMs) lasting = span;
  }
}

/** Joins issues of different rules whose times overlap by at least half of the longer one. */
function joinSimultaneous(spans: readonly IssueSpan[], join: JoinIssues): void {
  let open: IssueSpan[] = []; // only a few, because ranges of one rule do not overlap
  for (const span of spans) {
    open = open.filter(({ endMs }) => endMs > span.startMs);
    for (const other of open) {
      if (other.issue.ruleCode !== span.issue.ruleCode && areSimultaneous(other, span)) join(other.issue, span.issue);
    }
    open.push(span);
  }
}

function areSimultaneous(a: Span, b: Span): boolean {
  const sharedMs = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  return sharedMs > 0 && 2 * sharedMs >= Math.max(a.endMs - a.startMs, b.endMs - b.startMs);
}

/** Disjoint sets (union-find); each object starts as its own set. */
function createDisjointSets<Member extends object>() {
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

/** The id is the same for the same issues of the same asset. */
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
