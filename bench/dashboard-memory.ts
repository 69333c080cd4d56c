import type { BrowserContext, CDPSession, Page } from 'playwright-core'

import type { Benchmark, Figure } from './benchmark.ts'
import { LARGE_FLEET, onLargeFleet } from './dashboard-fleet.ts'

const SCREENS = [
  { name: 'Summary', path: '/dashboard' },
  { name: 'Fleet', path: '/dashboard/fleet' },
  { name: 'Workloads', path: '/dashboard/workloads' },
] as const

const MINUTES = 30

/** Whether pages that are left open grow. */
export const benchmark: Benchmark = {
  name: 'dashboard-memory',
  onDemand: true,
  description: `${LARGE_FLEET} Three pages stay open.`,
  run: ({ minutes = MINUTES }) => onLargeFleet(async ({ url, open }) => heapFigures(await open(), url, minutes)),
}

type Sample = { readonly minute: number; readonly heap: number; readonly nodes: number; readonly listeners: number }

/** What stays in memory after a collection, minute by minute, on screens that are left open while events arrive. */
async function heapFigures(context: BrowserContext, url: string, minutes: number): Promise<Figure[]> {
  const watched = []
  for (const { name, path } of SCREENS) {
    const page = await context.newPage()
    await page.goto(`${url}${path}`)
    watched.push({ name, page, session: await context.newCDPSession(page), samples: new Array<Sample>() })
  }
  const started = performance.now()
  for (let minute = 0; minute <= minutes; minute += 1) {
    const due = started + minute * 60_000
    await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())))
    for (const { page, session, samples } of watched) {
      // A page in the background draws nothing: each is looked at in turn, as by somebody who goes through tabs.
      await page.bringToFront()
      samples.push({ minute: (performance.now() - started) / 60_000, ...(await keptBy(session, page)) })
    }
  }
  await context.close()
  return watched.flatMap(({ name, samples }) => figuresOf(name, samples))
}

const MIB = 1024 * 1024

async function keptBy(session: CDPSession, page: Page): Promise<Omit<Sample, 'minute'>> {
  await page.waitForTimeout(1000)
  // A second pass takes what the first one's finalizers let go.
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { heap: usedSize / MIB, nodes, listeners: jsEventListeners }
}

function figuresOf(name: string, samples: readonly Sample[]): Figure[] {
  // What the first minutes fill (caches, compiled code) is no growth.
  const settled = samples.filter(({ minute }) => minute > Math.min(5, samples.length / 3))
  const [first, last] = [settled[0], settled.at(-1)]
  if (first === undefined || last === undefined) return []
  const from = `after ${Math.round(first.minute)} min ${first.heap.toFixed(1)} MiB, after ${Math.round(last.minute)} min ${last.heap.toFixed(1)} MiB; most ${Math.max(...settled.map(({ heap }) => heap)).toFixed(1)}, least ${Math.min(...settled.map(({ heap }) => heap)).toFixed(1)}`
  return [
    { name: `${name} left open: heap after collection, at the end`, figure: last.heap, unit: 'MiB', note: from },
    {
      name: `${name} left open: its growth, least squares`,
      figure: slope(settled) * 60,
      unit: 'MiB/h',
      aim: 'none over 30 minutes',
      note: `${settled.length} samples; DOM nodes ${first.nodes} to ${last.nodes}, listeners ${first.listeners} to ${last.listeners}`,
    },
  ]
}

/** MiB a minute. */
function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [x, y] = [mean(({ minute }) => minute), mean(({ heap }) => heap)]
  const spread = mean(({ minute }) => (minute - x) ** 2)
  return mean(({ minute, heap }) => (minute - x) * (heap - y)) / spread
}
