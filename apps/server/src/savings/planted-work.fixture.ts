import {
  HOUR_MS,
  instant,
  type HeldWork,
  type Store,
  type UsageRow,
  type WorkloadClass,
  type WorkMarks,
} from '@septet/domain'
import { SCRIPT, scriptedTruth } from '@septet/domain/testing'
import * as fc from 'fast-check'

import { rememberWork } from '../known-work.ts'
import { CHANGE, GPUS, rowOf } from './scripted-usage.fixture.ts'

const WEEK = 168
/** The change comes after a week; the first whole hour after it is measured for a week, too. */
const BEGINS = CHANGE - WEEK * HOUR_MS
const HOURS = 2 * WEEK + 2
export const PLANTED_END = BEGINS + HOURS * HOUR_MS

/** Work as a test draws it, and what it holds in each hour from a week before the change on. */
export type PlantedWork = Pick<HeldWork, 'workload' | 'labels' | 'marks'> & {
  readonly class: WorkloadClass
  readonly byHour: readonly number[]
}

export const OLD = 'ml/Deployment/llm'
const LLM: WorkMarks = { images: ['vllm/vllm-openai'], starts: ['d1'], models: ['Llama-3-8B'] }
const LABELS = { app: 'llm', 'app.kubernetes.io/instance': 'llm', team: 'search' }

/** How the same work comes back, as what is then known of it. A row each; none of them shares all that the old one had. */
export const WAYS = {
  'renamed, with the same image and arguments': { workload: 'ml/Deployment/answers', marks: LLM, labels: {} },
  'in another namespace': { workload: 'prod/Deployment/llm', marks: LLM, labels: LABELS },
  'handed to another team': { workload: 'team-x/Deployment/llm-b', marks: LLM, labels: { team: 'ads' } },
  'as another kind': { workload: 'ml/StatefulSet/serving', marks: LLM, labels: {} },
  'with other arguments for the same model': {
    workload: 'prod/Deployment/chat',
    marks: { ...LLM, starts: ['d2'] },
    labels: {},
  },
  'on another engine': {
    workload: 'prod/Deployment/chat',
    marks: { images: ['lmsysorg/sglang'], starts: ['d3'], models: ['Llama-3-8B'] },
    labels: {},
  },
  'rebuilt behind the same Service': {
    workload: 'ml/Deployment/answers',
    marks: { images: ['acme/answers'], starts: ['d4'], models: ['Llama-3-70B'] },
    labels: { app: 'llm' },
  },
  'as a new version of its name': {
    workload: 'ml/Deployment/llm-v2',
    marks: { images: ['acme/answers'], starts: ['d4'], models: [] },
    labels: {},
  },
  'elsewhere, before anybody read what it is': { workload: 'prod/Deployment/chat', labels: {} },
  'with nothing in common but place, kind and time': {
    workload: 'ml/Deployment/answers',
    marks: { images: ['acme/answers'], starts: ['d4'], models: [] },
    labels: {},
  },
} satisfies Record<string, Pick<PlantedWork, 'workload' | 'labels' | 'marks'>>
type Way = keyof typeof WAYS

const NONE = Array.from({ length: HOURS }, () => 0)
const from = (first: number, byHour: readonly number[]) => byHour.map((hours, order) => (order < first ? 0 : hours))

/** A workload's rhythm with its noise, over both weeks, as if nothing was changed. */
function demandOf(seed: number, level: number): readonly number[] {
  const { baseline, saved } = scriptedTruth({ ...SCRIPT, seed, level, weeksAfter: 2, cut: { part: 1, gpuHours: 0 } })
  return [...baseline.heldByHour.map((held) => held ?? 0), ...saved.map(({ value }) => value)].slice(0, HOURS)
}

/** What runs beside, before and after, and has nothing to do with the change. */
function neighbors(seed: number): readonly PlantedWork[] {
  const steady = (workload: string, more: Partial<PlantedWork>, number: number): PlantedWork => ({
    workload,
    class: 'inference',
    byHour: demandOf(seed + number, 1),
    ...more,
  })
  const job = (number: number, first: number): PlantedWork => ({
    workload: `ml/Job/train-${number}`,
    class: 'training',
    marks: { images: ['acme/train'], starts: [`t${number}`], models: [] },
    byHour: NONE.map((_, order) => (order >= first && order < first + 56 ? 2 : 0)),
  })
  return [
    // The same engine with another model, next to it and elsewhere, one of them begun only after the change.
    steady(
      'ml/Deployment/qwen',
      { marks: { ...LLM, starts: ['q1'], models: ['Qwen-2-7B'] }, labels: { team: 'search' } },
      1,
    ),
    steady(
      'ads/Deployment/rank',
      { marks: { ...LLM, starts: ['q2'], models: ['Rank-1'] }, labels: { app: 'rank' } },
      2,
    ),
    {
      ...steady('new/Deployment/mistral', { marks: { ...LLM, starts: ['q3'], models: ['Mistral-7B'] } }, 3),
      byHour: from(WEEK + 6, demandOf(seed + 3, 2)),
    },
    // Jobs that take turns.
    ...Array.from({ length: 6 }, (_, number) => job(number, number * 56)),
    // Another class begins in its namespace right away: that is what capacity is freed for.
    {
      workload: 'ml/Notebook/explore',
      class: 'notebook',
      marks: { images: ['jupyter/scipy'], starts: [], models: [] },
      byHour: from(
        WEEK + 3,
        NONE.map(() => 1),
      ),
    },
  ]
}

export type World = {
  readonly cluster: string
  readonly way: Way
  readonly works: readonly PlantedWork[]
  /** What the old one held in each hour of the week before. */
  readonly before: readonly number[]
  /** What it would have held in each whole hour since the change, and what came back of it. */
  readonly demand: readonly number[]
  readonly back: readonly number[]
}

/** So many worlds, drawn from one seed: in each a workload is stopped, and a part of it comes back in one of the ways. */
export function drawnWorlds(
  name: string,
  { count, part }: { count: number; part: fc.Arbitrary<number> },
): readonly World[] {
  const drawn = fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    level: fc.double({ min: 1, max: 4, noNaN: true }),
    // It may be there before the old one stops, or come hours after.
    gap: fc.integer({ min: -12, max: 12 }),
    part,
  })
  const ways = Object.keys(WAYS).filter((way): way is Way => way in WAYS)
  return fc.sample(drawn, { seed: 20_261_130, numRuns: count }).map(({ seed, level, gap, part: share }, order) => {
    const way = ways[order % ways.length] ?? 'in another namespace'
    const demand = demandOf(seed, level)
    const byHour = from(
      WEEK + gap,
      demand.map((hours) => hours * share),
    )
    const own: PlantedWork = {
      workload: OLD,
      class: 'inference',
      marks: LLM,
      labels: LABELS,
      byHour: demand.map((hours, at) => (at <= WEEK ? hours : 0)),
    }
    const returned = share === 0 ? [] : [{ ...WAYS[way], class: 'inference', byHour } as const]
    return {
      cluster: `${name}-${order}`,
      way,
      works: [own, ...returned, ...neighbors(seed)],
      before: demand.slice(0, WEEK),
      demand: demand.slice(WEEK + 1),
      back: byHour.slice(WEEK + 1),
    }
  })
}

/** Writes what was held, each workload on GPUs of its own, and what was known of it. */
export async function writeWorks(store: Store, cluster: string, works: readonly PlantedWork[]): Promise<void> {
  const rows: UsageRow[] = []
  for (let order = 0; order < HOURS; order += 1) {
    const at = BEGINS + order * HOUR_MS
    rows.push(rowOf({ at, gpu: GPUS[0] ?? '', present: 3600 }))
    for (const [place, { workload, class: workloadClass, byHour }] of works.entries()) {
      for (let left = byHour[order] ?? 0, gpu = 0; left > 0; left -= 1, gpu += 1) {
        const present = Math.min(1, left) * 3600
        rows.push({ ...rowOf({ at, gpu: `GPU-${place}-${gpu}`, present, kind: 'held', workload }), workloadClass })
      }
    }
  }
  for (let first = 0; first < rows.length; first += 5000)
    await store.usage.write(cluster, rows.slice(first, first + 5000))
  const workloads = works.flatMap(({ workload: id, labels, marks }) => {
    const [namespace = '', kind = '', name = ''] = id.split('/')
    const known = { ...(labels && { labels }), ...(marks && { marks }) }
    const rest = { namespace, kind, name, class: 'inference', queue: undefined, status: 'running' } as const
    const times = { createdAt: instant(0), startedAt: undefined, waiting: undefined }
    return marks === undefined ? [] : [{ id, ...rest, ...times, requests: [], pods: [], ...known }]
  })
  await rememberWork(store.settings, cluster, { workloads, now: instant(CHANGE) })
}
