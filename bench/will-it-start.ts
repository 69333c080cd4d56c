import { readManifest } from '@septet/connectors'
import {
  checkStart,
  estimateWait,
  instant,
  seconds,
  type AskedJob,
  type ClusterSnapshot,
  type PastWait,
} from '@septet/domain'
import { draw, withRequests } from '@septet/domain/testing'

import type { Benchmark, Figure } from './benchmark.ts'
import { quantile } from './quantile.ts'
import { randomFrom } from './random-from.ts'

const NODES = 1250
const ASKED = 300
const SEEDS = [1, 2, 3, 4, 5]
const JOBS = 900
const GPUS = 64

/** How long an answer takes on a large fleet, and how often work that waits starts inside the interval that it was told. */
export const benchmark: Benchmark = {
  name: 'will-it-start',
  description: `Whether a job starts, on ${NODES * 8} GPUs, and when: ${SEEDS.length} simulated queues of ${JOBS} jobs for ${GPUS} GPUs.`,
  run: () => Promise.resolve([...speed(), ...coverage()]),
}

function speed(): readonly Figure[] {
  const random = randomFrom(8)
  const base = fleet(random)
  const times = Array.from({ length: ASKED }, () => {
    // Every snapshot is new to it, as after each turn of the pipeline.
    const snapshot = { ...base }
    const jobs = jobsOf(random)
    const began = performance.now()
    checkStart(snapshot, jobs)
    return performance.now() - began
  })
  return [
    { name: 'answer, median', figure: quantile(times, 0.5), unit: 'ms', aim: '≤ 50 ms' },
    { name: 'answer, p99', figure: quantile(times, 0.99), unit: 'ms' },
  ]
}

const CUTS = ['[3g.40gb a/x] [3g.40gb a/y]', '[7g.80gb a/z]', '[3g.40gb -] [2g.20gb a/v] [1g.10gb -]']

/** Four of five whole GPUs are held; every fifth node is cut. */
function fleet(random: () => number): ClusterSnapshot {
  const lines = Array.from({ length: NODES * 8 }, (_, at) => {
    const node = Math.floor(at / 8)
    if (node % 5 === 0)
      return `n${node}  A100-SXM4-80GB  cpu=96 memory=900  ${CUTS[Math.floor(random() * CUTS.length)] ?? ''}`.replaceAll(
        /a\/(\w)/gu,
        `a/$1${at}`,
      )
    return `n${node}  H100-80GB-HBM3  cpu=96 memory=900  [${random() < 0.8 ? `a/p${at}` : '-'}]`
  })
  const drawn = withRequests(draw`${lines.join('\n')}`)
  return {
    ...drawn,
    nodes: drawn.nodes.map((node) => ({
      ...node,
      room: { ...node.room, cpuUsed: 1000 },
      allocatable: Object.fromEntries(
        Object.entries(
          Object.groupBy(
            node.gpus.flatMap(({ partitions }) => partitions),
            (each) => (each.kind === 'mig' ? `nvidia.com/mig-${each.profile}` : 'nvidia.com/gpu'),
          ),
        ).map(([name, all = []]) => [name, all.length]),
      ),
    })),
  }
}

function jobsOf(random: () => number): readonly AskedJob[] {
  const resource =
    random() < 0.5
      ? 'nvidia.com/gpu'
      : `nvidia.com/mig-${['1g.10gb', '3g.40gb', '7g.80gb'][Math.floor(random() * 3)] ?? ''}`
  const count = resource === 'nvidia.com/gpu' ? 1 + Math.floor(random() * 8) : 1
  const template = {
    spec: { containers: [{ name: 'a', resources: { requests: { cpu: '4' }, limits: { [resource]: String(count) } } }] },
  }
  const job = {
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { replicas: 1 + Math.floor(random() * 40), template },
  }
  const read = readManifest(JSON.stringify(job), 'a')
  return read.kind === 'read' ? read.jobs : []
}

const share = (list: readonly boolean[]): number => (100 * list.filter(Boolean).length) / Math.max(1, list.length)

function coverage(): readonly Figure[] {
  const all = SEEDS.map((seed) => told(queue(randomFrom(seed))))
  const inside = all.flat()
  return [
    {
      name: 'waits inside their 80 % interval',
      figure: share(inside),
      unit: '%',
      aim: '75 to 85 %',
      note: `${inside.length} waits`,
    },
    { name: 'the same, lowest queue', figure: Math.min(...all.map(share)), unit: '%' },
    { name: 'the same, highest queue', figure: Math.max(...all.map(share)), unit: '%' },
  ]
}

/** Jobs come more often by day, and are started in order with those behind that fit. Waits in the order of coming. */
function queue(random: () => number): readonly PastWait[] {
  const waits: PastWait[] = []
  const waiting: { readonly at: number; readonly gpus: number; readonly runs: number }[] = []
  const running: { readonly gpus: number; readonly until: number }[] = []
  let [now, free] = [0, GPUS]
  const start = (): void => {
    for (const job of waiting.slice()) {
      if (job.gpus > free) continue
      free -= job.gpus
      running.push({ gpus: job.gpus, until: now + job.runs })
      waiting.splice(waiting.indexOf(job), 1)
      waits.push({
        namespace: 'a',
        asks: `${job.gpus} × nvidia.com/gpu`,
        from: instant(job.at),
        to: instant(now),
        over: true,
      })
    }
  }
  for (let job = 0; job < JOBS; job += 1) {
    const rate = 1 + 0.6 * Math.sin((now / 86_400_000) * 2 * Math.PI)
    const comes = now + (-Math.log(1 - random()) * 1_150_000) / rate
    for (;;) {
      const next = running.toSorted((a, b) => a.until - b.until)[0]
      if (next === undefined || next.until > comes) break
      now = next.until
      free += next.gpus
      running.splice(running.indexOf(next), 1)
      start()
    }
    now = comes
    const gpus = [1, 1, 2, 4, 8][Math.floor(random() * 5)] ?? 1
    waiting.push({ at: now, gpus, runs: 3_600_000 * Math.exp(1.2 * (random() + random() + random() - 1.5) * 2) * 4 })
    start()
  }
  return waits.toSorted((a, b) => a.from - b.from)
}

/** Of each wait that was told an interval when it began: whether it ended inside. */
const told = (waits: readonly PastWait[]): readonly boolean[] =>
  waits.flatMap((wait): readonly boolean[] => {
    const length = (wait.to - wait.from) / 1000
    if (length <= 30) return []
    const answer = estimateWait(waits, { now: wait.from, namespace: 'a', asks: wait.asks, age: seconds(0) })
    return answer.kind === 'known' ? [length >= answer.low && length <= answer.high] : []
  })
