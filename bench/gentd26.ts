import { compareText, instant, mib, seconds, type UsageBucket, type UsageHistory } from '@septet/domain'

import { readTrace } from './trace-file.ts'

/** One sample of the trace: minutes since its begin, and the value in the unit of its file. */
type Sample = { readonly minute: number; readonly value: number }

/** One pod of the trace: memory in MiB, busy 0 to 1. */
export type TracePod = { readonly id: string; readonly memory: readonly Sample[]; readonly busy: readonly Sample[] }

/** The trace steps every 57 anonymized seconds; one step is one minute. */
const STEP = 57
const BUCKET_MINUTES = 5
const MEMORY = 'pod_gpu_memory_used_bytes_anon.csv.gz'
const BUSY = 'pod_gpu_duty_cycle_anon.csv.gz'

/** GenTD26 (Alibaba, SoCC 2025), a day of inference pods, sorted by pod. Throws a sentence when a file or column is missing. */
export function readGentd26(input: string | undefined): {
  readonly pods: readonly TracePod[]
  readonly minutes: number
} {
  const memory = readSamples(input, MEMORY)
  const busy = readSamples(input, BUSY)
  const times = [...memory.values(), ...busy.values()].flatMap((list) => list.map(({ minute }) => minute))
  const first = times.reduce((least, time) => Math.min(least, time), Infinity)
  const last = times.reduce((most, time) => Math.max(most, time), -Infinity)
  const shifted = (list: readonly Sample[] | undefined, scale: number): Sample[] =>
    (list ?? [])
      .map(({ minute, value }) => ({ minute: Math.round((minute - first) / STEP), value: value * scale }))
      .toSorted((a, b) => a.minute - b.minute)
  const pods = [...memory.keys()].toSorted(compareText).map((id) => ({
    id,
    memory: shifted(memory.get(id), 2 ** -20),
    busy: shifted(busy.get(id), 0.01),
  }))
  return { pods, minutes: Math.round((last - first) / STEP) + 1 }
}

/** A pod's minutes before a cut, in buckets of five minutes as they are stored. */
export function traceHistory(pod: TracePod, cut: number): UsageHistory {
  const buckets = new Map<number, { memory: number[]; busy: number[] }>()
  const bucketAt = (minute: number): { memory: number[]; busy: number[] } => {
    // Buckets end at the cut, so that none holds what came after it.
    const begin = cut - BUCKET_MINUTES * Math.ceil((cut - minute) / BUCKET_MINUTES)
    const bucket = buckets.get(begin) ?? { memory: [], busy: [] }
    buckets.set(begin, bucket)
    return bucket
  }
  for (const { minute, value } of pod.memory) if (minute < cut) bucketAt(minute).memory.push(value)
  for (const { minute, value } of pod.busy) if (minute < cut) bucketAt(minute).busy.push(value)
  const sorted = [...buckets].toSorted(([a], [b]) => a - b)
  return {
    id: pod.id,
    buckets: sorted.map(([minute, bucket]) => bucketOf(minute, bucket)),
    restarts: [],
    untrusted: undefined,
  }
}

function bucketOf(minute: number, { memory, busy }: { memory: number[]; busy: number[] }): UsageBucket {
  return {
    at: instant(Date.UTC(2026, 0, 1) + minute * 60_000),
    length: seconds(BUCKET_MINUTES * 60),
    measured: seconds(60 * Math.min(BUCKET_MINUTES, Math.max(memory.length, busy.length))),
    compute: busy.length === 0 ? undefined : busy.reduce((sum, value) => sum + value, 0) / busy.length,
    computePeak: busy.length === 0 ? undefined : Math.max(...busy),
    memoryPeak: memory.length === 0 ? undefined : mib(Math.max(...memory)),
  }
}

function readSamples(input: string | undefined, name: string): ReadonlyMap<string, Sample[]> {
  const text = readTrace({ set: 'gentd26-2026', name, input })
  const [head = '', ...lines] = text.trimEnd().split(/\r?\n/u)
  const [time = 0, pod = 0, value = 0] = COLUMNS.map((column) => {
    const index = head.split(',').indexOf(column)
    if (index < 0) throw new Error(`${name} has no column ${column}; it has ${head}`)
    return index
  })
  const byPod = new Map<string, Sample[]>()
  for (const [index, line] of lines.entries()) {
    const cells = line.split(',')
    const sample = { minute: numberIn(cells[time]), value: numberIn(cells[value]) }
    const id = cells[pod] ?? ''
    if (id === '' || Number.isNaN(sample.minute + sample.value)) {
      throw new Error(`${name}, line ${index + 2}: a time, a pod and a value of at least 0 expected, found ${line}`)
    }
    append(byPod, id, sample)
  }
  return byPod
}

function append(byPod: Map<string, Sample[]>, id: string, sample: Sample): void {
  const list = byPod.get(id)
  if (list === undefined) byPod.set(id, [sample])
  else list.push(sample)
}

const COLUMNS = ['timestamp_anon', 'container_ip', 'value']

/** A number of at least 0, or NaN: an empty cell is not 0. */
function numberIn(cell: string | undefined): number {
  const value = cell === undefined || cell.trim() === '' ? Number.NaN : Number(cell)
  return Number.isFinite(value) && value >= 0 ? value : Number.NaN
}

/** The highest memory of a pod between two minutes, MiB; 0 without a sample. */
export const highestIn = ({ memory }: TracePod, from: number, to: number): number =>
  memory.reduce((most, { minute, value }) => (minute >= from && minute < to ? Math.max(most, value) : most), 0)
