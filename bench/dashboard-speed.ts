import { gzipSync } from 'node:zlib'

import type { Page } from 'playwright-core'

import type { Benchmark, Figure } from './benchmark.ts'
import { interactionFigures } from './dashboard-interactions.ts'
import { eventsOf } from './event-client.ts'
import { LARGE_FLEET, onLargeFleet, type LargeFleet, type Open } from './dashboard-fleet.ts'
import { moveAbout, zoomedMap } from './map-moves.ts'
import { firstSeen, seenAfterBack, seenAfterClick, type Sight } from './page-probe.ts'
import { quantile } from './quantile.ts'

const LOADS = 5
const CHANGES = 5
const BASELINE = 'an empty screen in the same frame'

/** How the dashboard feels in a browser on the fleet of 10,000 GPUs. */
export const benchmark: Benchmark = {
  name: 'dashboard-speed',
  description: `${LARGE_FLEET} For comparison: ${BASELINE}.`,
  run: () => onLargeFleet(figuresOf),
}

async function figuresOf({ url, open }: LargeFleet): Promise<Figure[]> {
  const figures = [...(await firstViews(url, open)), ...(await screenChanges(url, open))]
  const context = await open()
  const events = await eventsOf(`${url}/api/v1/events`)
  try {
    figures.push(...(await interactionFigures(await context.newPage(), url)))
    figures.push(await panFigure(await context.newPage(), url))
  } finally {
    events.close()
    await context.close()
  }
  return figures
}

const CARDS: Sight = {
  heading: 'GPU Optimization Summary',
  content: 'main:not(:has(section[aria-busy="true"])) section.min-h-48',
}
const EMPTY: Sight = { heading: '404' }

/** Loads with an empty cache: how long until the four cards stand, and what came over the line for them. */
async function firstViews(url: string, open: Open): Promise<Figure[]> {
  const cards: number[] = []
  const whole: number[] = []
  const empty: number[] = []
  const sizes: Sizes[] = []
  for (let load = 0; load < LOADS; load += 1) {
    const context = await open()
    const page = await context.newPage()
    await page.goto(`${url}/dashboard`, { waitUntil: 'commit' })
    cards.push(await firstSeen(page, CARDS))
    whole.push(await firstSeen(page, { ...CARDS, whole: true }))
    sizes.push(await sizesOf(page))
    await context.close()
    const other = await open()
    const bare = await other.newPage()
    await bare.goto(`${url}/dashboard/nothing`, { waitUntil: 'commit' })
    empty.push(await firstSeen(bare, EMPTY))
    await other.close()
  }
  const baseline = { name: BASELINE, figure: quantile(empty, 0.5) }
  const note = `${LOADS} loads with an empty cache, ${spread(cards)}`
  const one = sizes[0] ?? { script: Number.NaN, all: Number.NaN }
  return [
    {
      name: 'first view: four cards painted, median',
      figure: quantile(cards, 0.5),
      unit: 'ms',
      baseline,
      aim: '≤ 2,000 ms',
      note,
    },
    {
      name: 'first view: nothing waits any more, median',
      figure: quantile(whole, 0.5),
      unit: 'ms',
      baseline,
      note: spread(whole),
    },
    {
      name: 'first view: script over the line, charts included',
      figure: one.script,
      unit: 'KiB',
      note: 'as sent, brotli',
    },
    { name: 'first view: everything over the line', figure: one.all, unit: 'KiB', note: 'as sent' },
    { name: 'script that the page names, with gzip', figure: await namedScript(url), unit: 'KiB', aim: '≤ 200 KiB' },
  ]
}

type Sizes = { readonly script: number; readonly all: number }

const sizesOf = (page: Page): Promise<Sizes> =>
  page.evaluate(() => {
    const parts = performance.getEntriesByType('resource').map((entry) => {
      const { encodedBodySize }: { encodedBodySize: number } = Object.assign({ encodedBodySize: 0 }, entry.toJSON())
      return { isScript: entry.name.endsWith('.js'), size: encodedBodySize / 1024 }
    })
    const sum = (of: typeof parts): number => of.reduce((total, { size }) => total + size, 0)
    return { script: sum(parts.filter(({ isScript }) => isScript)), all: sum(parts) }
  })

/** What the page itself loads before anything runs: its scripts and those that it has fetched ahead. */
async function namedScript(url: string): Promise<number> {
  const html = await (await fetch(`${url}/dashboard`)).text()
  const files = new Set([...html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/gu)].map(([, file = '']) => file))
  let bytes = 0
  for (const file of files) {
    const answer = await fetch(`${url}${file}`, { headers: { 'accept-encoding': 'gzip' } })
    bytes += gzipSync(Buffer.from(await answer.arrayBuffer())).length
  }
  return bytes / 1024
}

/** What must stand before a screen counts as there. */
const SCREENS: readonly { readonly link: string; readonly sight: Sight }[] = [
  { link: 'Fleet', sight: { heading: 'Fleet', content: '[data-testid="fleet-map"] canvas, canvas', whole: true } },
  {
    link: 'Partitions',
    sight: { heading: 'Partitions', content: 'ul[aria-label="Nodes"] li[data-index]', whole: true },
  },
  { link: 'Workloads', sight: { heading: 'Workloads', content: 'main tbody tr[data-index]', whole: true } },
  { link: 'Cost', sight: { heading: 'Cost', content: 'main section', whole: true } },
  { link: 'Actions', sight: { heading: 'Actions', whole: true } },
  { link: 'Alerts', sight: { heading: 'Alerts', whole: true } },
  { link: 'Settings', sight: { heading: 'Account', whole: true } },
  { link: 'Summary', sight: { ...CARDS, whole: true } },
]

/** From the press of a link to the painted screen: the first time with its script still to come, then again and again. */
async function screenChanges(url: string, open: Open): Promise<Figure[]> {
  const cold = new Map<string, number>()
  const warm = new Map<string, number[]>()
  const empty: number[] = []
  const context = await open()
  const page = await context.newPage()
  await page.goto(`${url}/dashboard`)
  await firstSeen(page, { ...CARDS, whole: true })
  for (let round = 0; round <= CHANGES; round += 1) {
    for (const { link, sight } of SCREENS) {
      const took = await seenAfterClick(page, link, sight)
      if (round === 0) cold.set(link, took)
      else warm.set(link, [...(warm.get(link) ?? []), took])
      // As long as a quick look: what comes after the first paint is over, and events go on.
      await page.waitForTimeout(1500)
    }
    empty.push(await seenAfterBack(page, '/dashboard/nothing', EMPTY))
  }
  await context.close()
  const baseline = { name: BASELINE, figure: quantile(empty, 0.5) }
  return [...warm].flatMap(([link, times]) => [
    {
      name: `${link}: opened again, median`,
      figure: quantile(times, 0.5),
      unit: 'ms',
      baseline,
      aim: '≤ 300 ms',
      note: spread(times),
    },
    {
      name: `${link}: opened for the first time`,
      figure: cold.get(link) ?? Number.NaN,
      unit: 'ms',
      baseline,
      aim: '≤ 300 ms',
      note: 'its script and its answers come first',
    },
  ])
}

const PAN_SECONDS = 6

async function panFigure(page: Page, url: string): Promise<Figure> {
  await page.goto(`${url}/dashboard/fleet`)
  await zoomedMap(page, 1)
  const frames = await page.evaluate(moveAbout, PAN_SECONDS)
  const figure = (1000 * frames.length) / frames.reduce((sum, each) => sum + each, 0)
  const note = `${PAN_SECONDS} s; time between frames, p95: ${Math.round(quantile(frames, 0.95))} ms`
  return { name: 'the map of the fleet, moved: frames a second', figure, unit: '/s', aim: '≥ 55', note }
}

const spread = (values: readonly number[]): string =>
  `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))} ms`
