import type { OPERATIONS, OutputOf, RecommendationView } from '@septet/contract'
import { busyWords } from '@septet/contract/busy-words'
import { figureInWords } from '@septet/contract/figure-words'
import { estimateWords } from '@septet/contract/estimate-words'
import { stateWords } from '@septet/contract/state-words'
import { isIdleKnown } from '@septet/domain'
import { capitalized, cents, duration, money, perMillionTokens, short } from '@septet/domain/words'

import type { FixedReading } from '../reply/reading.ts'
import { path, type Block } from '../reply/reply.ts'
import { table } from '../reply/table.ts'

type Of<Key extends keyof typeof OPERATIONS> = OutputOf<(typeof OPERATIONS)[Key]>
type Blocks = readonly (Block | undefined)[]

const MOST_BARS = 12

/** The GPUs as slice bars, as many as help to read. */
const bars = (title: string, gpus: Extract<Block, { kind: 'slices' }>['gpus']): Block | undefined =>
  gpus.length === 0 ? undefined : { kind: 'slices', title, gpus: gpus.slice(0, MOST_BARS) }

export const recommendationRows =
  (most: number, order?: 'largest') =>
  ({ recommendations, total }: Of<'recommendationsList'>, reading: FixedReading): Blocks => [
    table(reading, {
      title: 'Recommendations',
      rows: order === undefined ? recommendations : recommendations.toSorted((a, b) => amountOf(b) - amountOf(a)),
      columns: {
        Recommendation: ({ title }) => title,
        Kind: ({ kind }) => kind,
        Saving: ({ saving }) => estimateWords(saving),
      },
      at: ({ id }) => path('/actions', { recommendation: id }),
      most,
      total,
    }),
  ]

const amountOf = ({ saving }: RecommendationView): number =>
  saving.kind === 'estimated' ? (saving.usdPerMonth ?? 0) : 0

export function approvalRows({ actions }: Of<'actionsList'>, reading: FixedReading): Blocks {
  return [
    table(reading, {
      title: 'what waits for an approval',
      rows: actions.filter(({ may }) => may.approve),
      columns: {
        Action: ({ title }) => title,
        State: stateWords,
        Since: ({ since }) => `${since.slice(0, 16).replace('T', ' ')} UTC`,
        Why: ({ because }) => because,
      },
      at: ({ id }) => path('/actions', { action: id }),
    }),
  ]
}

const NO_NAME = { none: '(none)', unknown: '(unknown)', free: '(unallocated)' } as const
const amount = (usd: number | undefined): string => (usd === undefined ? 'no price known' : cents(usd))

export const groupRows = ({ by, groups }: Of<'costBreakdown'>, reading: FixedReading): Blocks => [
  table(reading, {
    title: `Utilization and cost by ${by}`,
    rows: groups.toSorted(
      (a, b) => (b.usd?.capacity ?? 0) - (a.usd?.capacity ?? 0) || b.gpuHours.capacity - a.gpuHours.capacity,
    ),
    columns: {
      [capitalized(by)]: ({ key, kind }) => (kind === 'named' ? key || `(no ${by})` : NO_NAME[kind]),
      '#Busy of held': busyWords,
      '#Cost': ({ usd }) => amount(usd?.capacity),
      '#Idle': ({ usd, gpuHours }) => (isIdleKnown(gpuHours) ? amount(usd?.idleHeld) : 'not measured'),
      '#GPU-hours': ({ gpuHours }) => gpuHours.capacity.toFixed(1),
    },
  }),
]

/** Points that a line of an answer has room for. */
const MOST_POINTS = 120

export function trendChart({ points }: Of<'utilizationTrend'>): Blocks {
  const each = Math.max(1, Math.ceil(points.length / MOST_POINTS))
  const shown = points.filter((_, order) => order % each === 0).map(({ at, busy }) => ({ at, value: busy }))
  return [{ kind: 'chart', title: 'Busy share of GPU time', unit: 'ratio', points: shown }]
}

export const brokenRows = ({ gpus }: Of<'fleetBroken'>, reading: FixedReading): Blocks => [
  table(reading, {
    title: 'Broken GPUs',
    rows: gpus,
    columns: {
      Node: ({ node }) => node,
      '#GPU': ({ index }) => index,
      Model: ({ model }) => model,
      'What is wrong': ({ problem }) => problem.message,
    },
    at: ({ id }) => path('/fleet', { gpu: id }),
    most: 20,
  }),
]

export const freeRows = ({ nodes, total }: Of<'partitionsList'>, reading: FixedReading): Blocks => [
  table(reading, {
    title: 'Free partitions',
    rows: nodes,
    columns: {
      Node: ({ node }) => node,
      Model: ({ model }) => model,
      '#Free': ({ available }) => available,
      '#All': (each) => each.total,
    },
    at: ({ node }) => path('/partitions', { node }),
    most: 20,
    total,
  }),
  bars(
    'Where they are',
    nodes.flatMap(({ node, gpus }) => gpus.map((gpu) => ({ node, gpu }))),
  ),
]

export const roomRows = ({ places }: Of<'partitionsRoom'>, reading: FixedReading): Blocks => [
  table(reading, {
    title: 'Where it fits',
    rows: places,
    columns: {
      Node: ({ node }) => node,
      GPU: ({ gpu }) => gpu.index,
      '#Now': ({ now }) => now,
      '#After repartitioning': ({ recut }) => recut,
    },
    at: ({ node }) => path('/partitions', { node }),
    most: 24,
  }),
  bars('Where it fits', places),
]

export const strandedRows = ({ stranded }: Of<'partitionsEfficiency'>, reading: FixedReading): Blocks => [
  table(reading, {
    title: 'Layouts that strand slices',
    rows: stranded,
    columns: {
      Model: ({ model }) => model,
      Layout: ({ layout }) => layout.map(({ profile, start }) => `${profile}@${start}`).join(' '),
      '#GPUs': ({ gpus }) => gpus,
      Why: ({ because }) => because,
    },
  }),
]

export const causeRows = ({ causes }: Of<'queueWaits'>, reading: FixedReading): Blocks => [
  table(reading, {
    title: 'What was waited for',
    rows: causes,
    columns: {
      Cause: ({ name }) => name,
      '#Waited': ({ seconds }) => duration(seconds),
      '#Workloads': ({ workloads }) => workloads,
      '#Waiting now': ({ waiting }) => waiting,
      'What ends it': ({ change }) => change?.sentence ?? 'No single change is known',
    },
    most: 20,
  }),
]

const figureCell = (one: Of<'workloadsGet'>['hours']): string => Object.values(figureInWords(one)).slice(1).join('')

export const workloadRows = ({ workloads, total }: Of<'workloadsList'>, reading: FixedReading): Blocks => [
  table(reading, {
    title: 'Workloads (busy and cost: over the past 24 hours)',
    rows: workloads,
    columns: {
      Workload: ({ id }) => id,
      'Holds or asks for': ({ gpu }) => gpu,
      '#Busy': ({ busy }) => figureCell(busy),
      '#Cost': ({ cost }) => figureCell(cost),
      '#Idle cost': ({ idleCost }) => figureCell(idleCost),
    },
    at: ({ id }) => path('/workloads', { range: '24h', workload: id }),
    total,
  }),
]

const orUnknown = (write: (known: number) => string, value: number | null): string =>
  value === null ? 'Unknown' : write(value)

export const tokenRows = ({ groups }: Of<'costTokens'>, reading: FixedReading): Blocks => [
  table(reading, {
    title: 'Tokens and what a million of them cost (over the past 24 hours)',
    rows: groups,
    columns: {
      Workload: ({ key }) => key,
      '#Tokens read': ({ tokens }) => orUnknown(short, tokens.prompt),
      '#Tokens written': ({ tokens }) => orUnknown(short, tokens.generation),
      '#Cost': ({ allocated }) => orUnknown(money, allocated.usd),
      '#Per million, time held': ({ usdPerMillion }) => orUnknown(perMillionTokens, usdPerMillion.allocated.total),
      '#Per million, busy time': ({ usdPerMillion }) => orUnknown(perMillionTokens, usdPerMillion.busy.total),
    },
    at: ({ key }) => path('/workloads', { range: '24h', workload: key }),
    most: 20,
  }),
]
