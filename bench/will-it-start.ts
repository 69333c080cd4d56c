import { checkStart, estimateWait, instant, seconds, type ClusterSnapshot, type PastWait } from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { quantile } from './quantile.ts'
import { randomFrom } from './random-from.ts'
import { drawnDeployment, fullFleet, mixedFleet, NODES } from './start-fleets.ts'

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
  return [
    ...speedOn('a fleet with room here and there', mixedFleet(random), () => drawnDeployment(random, 40)),
    ...speedOn('a full fleet, where moves are looked for', fullFleet(random), () => drawnDeployment(random, 1)),
  ]
}

function speedOn(name: string, base: ClusterSnapshot, jobs: () => Parameters<typeof checkStart>[1]): readonly Figure[] {
  const times = Array.from({ length: ASKED }, () => {
    // Every snapshot is new to it, as after each turn of the pipeline.
    const snapshot = { ...base }
    const asked = jobs()
    const [began, used] = [performance.now(), process.threadCpuUsage()]
    checkStart(snapshot, asked)
    const { user, system } = process.threadCpuUsage(used)
    return { wall: performance.now() - began, processor: (user + system) / 1000 }
  })
  const [wall, processor] = [times.map((each) => each.wall), times.map((each) => each.processor)]
  return [
    { name: `answer on ${name}, median`, figure: quantile(wall, 0.5), unit: 'ms' },
    { name: 'the same, p99', figure: quantile(wall, 0.99), unit: 'ms', aim: '≤ 50 ms' },
    {
      name: 'the same, p99 of processor time',
      figure: quantile(processor, 0.99),
      unit: 'ms',
      note: 'of the thread that answers: what else the machine does is not in it',
    },
  ]
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
