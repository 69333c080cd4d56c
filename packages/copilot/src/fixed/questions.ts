import type { CopilotQuestion } from '@septet/contract/copilot-questions'
import type { RecommendationView } from '@septet/contract'

import {
  approvalRows,
  brokenRows,
  causeRows,
  freeRows,
  groupRows,
  recommendationRows,
  roomRows,
  strandedRows,
  tokenRows,
  trendChart,
  workloadRows,
} from './blocks.ts'
import type { OperationInput } from '../reply/reading.ts'
import { asks, asksProblem, path, type ReplyOf } from '../reply/reply.ts'

/** A fixed question: whose sentences answer it, and which questions lead further. */
type Fixed = { readonly replies: readonly ReplyOf[]; readonly further: readonly CopilotQuestion[] }

const RANGE = '24h'

const summary = (range: string, on: RegExp, page: readonly [label: string, path: string]): ReplyOf =>
  asks('summaryGet', { input: { range }, page, on })
const busyOver = (range: string): ReplyOf =>
  summary(range, /^utilization\.(?:target|allocated)/u, ['See utilization', path('', { range })])
const costOver = (range: string, on: RegExp): ReplyOf =>
  summary(range, on, ['See the figures', path('/cost', { range })])

/** Groups of the cost, and what is said of what they cost or of how busy they were. */
const groups = (by: NonNullable<OperationInput<'costBreakdown'>['by']>, on: RegExp): ReplyOf =>
  asks('costBreakdown', {
    input: { range: RANGE, by },
    page: ['See the groups', path('/cost', { range: RANGE, by })],
    on,
    show: groupRows,
  })
const busyOf = (by: Parameters<typeof groups>[0]): Fixed => ({
  replies: [groups(by, /^groups$|\.busy$|^notes/u)],
  further: ['busy-enough', 'least-used'],
})

type Listing = Pick<OperationInput<'workloadsList'>, 'status' | 'sort' | 'order' | 'idle'>
const workloads = (listing: Listing, limit = 10): ReplyOf =>
  asks('workloadsList', {
    input: { ...listing, range: RANGE, limit },
    page: ['See the workloads', path('/workloads', { range: RANGE, sort: listing.sort })],
    show: workloadRows,
  })

const waits: ReplyOf = asks('queueWaits', {
  input: { range: RANGE },
  page: ['See the waits', path('/workloads', { range: RANGE, view: 'waits' })],
  show: causeRows,
})

const room = (profile: string): ReplyOf =>
  asks('partitionsRoom', {
    input: { profile, count: 1, limit: 24 },
    page: ['See where it fits', path('/partitions', { view: 'room', profile })],
    show: roomRows,
  })

type Wanted = { readonly kind?: RecommendationView['kind']; readonly most: number; readonly order?: 'largest' }
const recommended = ({ kind, most, order }: Wanted): ReplyOf =>
  asks('recommendationsList', {
    input: { kind, limit: 500 },
    page: ['See the recommendations', path('/actions', { kind })],
    on:
      order === undefined
        ? /^(?:saves\.billReduced|total|recommendations\[\d+\]\.title)$/u
        : /^(?:saves\.billReduced|total|recommendations\[\d+\]\.saving)$/u,
    show: recommendationRows(most, order),
  })

const stuck = asksProblem(
  'holder-not-running',
  'No pod has held a GPU for an hour without running.',
  /^(?:forbidden|unreadable-resource) pods$/u,
)
const unrequested = asksProblem(
  'used-without-request',
  'No GPU that is measured is used without a request.',
  /^telemetry-(?:unavailable|not-configured) /u,
)

const saved: ReplyOf = asks('savingsList', { input: {}, page: ['See the savings', '/actions/savings'] })

/** How each fixed question is answered: in the words of the operations that know it. */
export const FIXED: Readonly<Record<CopilotQuestion, Fixed>> = {
  'saved-and-next': { replies: [saved, recommended({ most: 3 })], further: ['do-first', 'largest-saving'] },
  'busy-enough': { replies: [busyOver('24h')], further: ['trend-this-week', 'most-waste'] },
  queue: {
    replies: [workloads({ status: 'queued', sort: 'duration' }, 1), waits],
    further: ['longest-wait', 'waits-and-why'],
  },
  'free-partition': {
    replies: [
      asks('partitionsList', {
        input: { mig: 'false', state: 'free', limit: 2000 },
        page: ['See the partitions', path('/partitions', { state: 'free' })],
        show: freeRows,
      }),
    ],
    further: ['stranded-capacity', 'waits-and-why'],
  },
  'cost-this-month': {
    replies: [costOver('month', /^cost\.capacity/u)],
    further: ['costliest-namespace', 'month-forecast'],
  },
  'most-waste': { replies: [workloads({ status: 'running', sort: 'idleCost' })], further: ['do-first', 'idle-cost'] },
  'waits-and-why': { replies: [waits], further: ['queue', 'longest-wait'] },
  // As many as an answer may hold: they are counted.
  'idle-gpus': {
    replies: [workloads({ status: 'running', sort: 'idleCost', idle: 'true' }, 2000)],
    further: ['do-first', 'idle-cost'],
  },
  'faulty-gpus': {
    replies: [asks('fleetBroken', { input: {}, page: ['See the fleet', '/fleet'], show: brokenRows })],
    further: ['wrong-now', 'idle-gpus'],
  },
  'busy-past-week': { replies: [busyOver('7d')], further: ['trend-this-week', 'most-waste'] },
  'busy-namespaces': busyOf('namespace'),
  'busy-models': busyOf('model'),
  'busy-pools': busyOf('pool'),
  'busy-nodes': busyOf('node'),
  'fits-1g.10gb': { replies: [room('1g.10gb')], further: ['free-partition', 'stranded-capacity'] },
  'fits-1g.5gb': { replies: [room('1g.5gb')], further: ['fits-1g.10gb', 'nodes-to-repartition'] },
  'held-not-running': { replies: [stuck], further: ['idle-gpus', 'wrong-now'] },
  'used-without-request': { replies: [unrequested], further: ['idle-gpus', 'wrong-now'] },
  'stranded-capacity': {
    replies: [
      asks('partitionsEfficiency', {
        input: {},
        page: ['See the partitions', '/partitions?view=efficiency'],
        show: strandedRows,
      }),
    ],
    further: ['free-partition', 'nodes-to-repartition'],
  },
  'nodes-to-repartition': {
    replies: [recommended({ kind: 'repartition', most: 10 })],
    further: ['to-approve', 'saved'],
  },
  'least-used': {
    replies: [workloads({ status: 'running', sort: 'busy', order: 'up' })],
    further: ['do-first', 'idle-cost'],
  },
  'costliest-namespace': {
    replies: [groups('namespace', /^groups$|\.usd$|\.gpuHours$|^notes/u)],
    further: ['month-forecast', 'busy-namespaces'],
  },
  'token-cost': {
    replies: [
      asks('costTokens', {
        input: { range: RANGE },
        page: ['See the tokens', path('/cost', { range: RANGE, view: 'tokens' })],
        show: tokenRows,
      }),
    ],
    further: ['costliest-namespace', 'idle-cost'],
  },
  'idle-cost': { replies: [costOver(RANGE, /^cost\.idleHeld/u)], further: ['most-waste', 'idle-gpus'] },
  'month-forecast': {
    replies: [asks('budgetsList', { input: {}, page: ['See the cost', '/cost'] })],
    further: ['cost-this-month', 'costliest-namespace'],
  },
  'do-first': { replies: [recommended({ most: 10 })], further: ['to-approve', 'saved'] },
  saved: { replies: [saved], further: ['do-first', 'largest-saving'] },
  'to-approve': {
    replies: [
      asks('actionsList', {
        input: { limit: 500 },
        page: ['See the actions', '/actions'],
        on: /^actions$/u,
        show: approvalRows,
      }),
    ],
    further: ['saved-and-next', 'do-first'],
  },
  'wrong-now': {
    replies: [summary(RANGE, /^status/u, ['See the summary', ''])],
    further: ['faulty-gpus', 'waits-and-why'],
  },
  'largest-saving': { replies: [recommended({ most: 5, order: 'largest' })], further: ['to-approve', 'saved'] },
  'trend-this-week': {
    replies: [
      asks('utilizationTrend', {
        input: { range: 'week' },
        page: ['See utilization', path('', { range: 'week' })],
        show: trendChart,
      }),
    ],
    further: ['busy-enough', 'most-waste'],
  },
  'longest-wait': {
    replies: [workloads({ status: 'queued', sort: 'duration' })],
    further: ['waits-and-why', 'free-partition'],
  },
}
