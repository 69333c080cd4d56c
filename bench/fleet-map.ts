import type { Browser, Page } from 'playwright-core'

import { launchBrowser } from '../test/browser.ts'
import { builtWeb } from '../test/built-web.ts'
import { openFixtureServer, signedIn } from '../test/e2e/dashboard/fixture-server.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { drawnFleet } from '../test/e2e/dashboard/drawn-fleet.ts'
import { machineLoad } from './machine-load.ts'
import { moveAbout, zoomedMap } from './map-moves.ts'
import { quantile } from './quantile.ts'

const GPUS = 10_000
const SEED = 7
const SECONDS = 6
/** A frame a little late by the clock of the browser still counts as one of 60 a second: 1,000 / 55 ms. */
const IN_TIME_MS = 1000 / 55
const BASELINE = 'one SVG of the same blocks'
const WINDOW = { width: 1280, height: 900 }

/** How far the wheel zooms in before the map is moved, and what is to be seen there. */
const ZOOMS = [
  { name: 'a third of the fleet in view', turns: 1 },
  { name: 'some hundred GPUs in view, as slice bars', turns: 3 },
  { name: 'some dozen GPUs in view, with names', turns: 6 },
] as const

/** How smoothly the map of the fleet is moved, in Chromium without a graphics card. */
export const benchmark: Benchmark = {
  name: 'fleet-map',
  description:
    `The fleet map of ${GPUS} GPUs, moved with the wheel for ${SECONDS} s in headless Chromium with software rendering at ` +
    `${WINDOW.width} × ${WINDOW.height}: time between frames, compared with ${BASELINE} moved the same way.`,
  run: async () => {
    const load = machineLoad()
    const server = await openFixtureServer(builtWeb())
    const fleet = drawnFleet(GPUS, SEED)
    server.answers = { ...server.answers, '/api/v1/fleet': () => ({ body: fleet }) }
    const browser = await launchBrowser()
    try {
      const figures: Figure[] = [load]
      for (const zoom of ZOOMS) {
        const map = await framesOf(browser, async (page) => openMap(page, server.url, zoom.turns))
        const svg = await framesOf(browser, async (page) => openSvg(page, map.scale))
        figures.push(...figuresOf(zoom.name, map.frames, svg.frames))
      }
      return figures
    } finally {
      await browser.close()
      await server.close()
    }
  },
}

type Moved = { readonly frames: readonly number[]; readonly scale: number }

/** Opens a page that offers `window.move(x, y)`, moves it to and fro, and takes the time between its frames. */
async function framesOf(browser: Browser, open: (page: Page) => Promise<number>): Promise<Moved> {
  const context = await browser.newContext({ viewport: WINDOW })
  const { key, value } = signedIn(Date.now())
  await context.addInitScript((entry) => localStorage.setItem(entry.key, entry.value), { key, value })
  const page = await context.newPage()
  try {
    const scale = await open(page)
    const frames = await page.evaluate(moveAbout, SECONDS)
    return { frames, scale }
  } finally {
    await context.close()
  }
}

/** The product's page, zoomed in around the middle. Tells how wide a bar of 8 memory slices is then. */
async function openMap(page: Page, url: string, turns: number): Promise<number> {
  await page.goto(`${url}/dashboard/fleet?cluster=demo`)
  return zoomedMap(page, turns)
}

/** The same fleet as one SVG: rectangles with patterns, moved by the transform of their group. */
async function openSvg(page: Page, scale: number): Promise<number> {
  await page.setContent(`<!doctype html><body style="margin:0">${svgOf(scale)}</body>`)
  await page.evaluate((zoom) => {
    const group = document.querySelector('g')
    const at = { x: 500 * zoom, y: 300 * zoom }
    Object.assign(globalThis, {
      move: (x: number, y: number) => {
        at.x += x
        at.y += y
        group?.setAttribute('transform', `translate(${-at.x} ${-at.y}) scale(${zoom})`)
      },
    })
  }, scale)
  await page.waitForTimeout(1500)
  return scale
}

const COLORS = ['#0a8f7a', 'url(#idle)', 'url(#unknown)', '#fff', 'url(#stranded)', '#ddd']

function svgOf(scale: number): string {
  const { frame, now } = drawnFleet(GPUS, SEED)
  const [bar, height, columns] = [14.6, 2.6, 32]
  const rects: string[] = []
  let block = 0
  for (const [gpu, count] of frame.gpus.blocks.entries()) {
    const node = Math.floor(gpu / 8)
    const x = (node % columns) * bar * 2.2 + (gpu % 2) * bar * 1.07
    const y = Math.floor(node / columns) * bar * 1.3 + Math.floor((gpu % 8) / 2) * bar * 0.24
    for (const end = block + count; block < end; block += 1) {
      const left = x + ((frame.blocks.start[block] ?? 0) * bar) / 8
      const width = ((frame.blocks.size[block] ?? 0) * bar) / 8 - 0.2
      const fill = COLORS[now.blocks.kind[block] ?? 0] ?? ''
      rects.push(
        `<rect x="${left}" y="${y}" width="${width}" height="${height}" rx=".3" fill="${fill}" stroke="#888" stroke-width=".1"/>`,
      )
    }
  }
  return `<svg width="1013" height="600" style="display:block"><defs>${PATTERNS}</defs><g transform="scale(${scale})">${rects.join('')}</g></svg>`
}

const PATTERNS = ['idle', 'unknown', 'stranded']
  .map(
    (name, place) =>
      `<pattern id="${name}" width="1" height="1" patternUnits="userSpaceOnUse" patternTransform="rotate(${place * 45})"><rect width="1" height="1" fill="#eee"/><rect width=".4" height="1" fill="#b80"/></pattern>`,
  )
  .join('')

function figuresOf(where: string, map: readonly number[], svg: readonly number[]): Figure[] {
  const beside = (of: (frames: readonly number[]) => number) => ({
    figure: of(map),
    baseline: { name: BASELINE, figure: of(svg) },
  })
  return [
    { name: `${where}: frames a second`, unit: '/s', aim: '≥ 55', ...beside(rate) },
    { name: `${where}: time between frames, median`, unit: 'ms', ...beside((frames) => quantile(frames, 0.5)) },
    { name: `${where}: time between frames, p95`, unit: 'ms', ...beside((frames) => quantile(frames, 0.95)) },
    { name: `${where}: frames that came within 1/55 s`, unit: '%', ...beside(inTime) },
  ]
}

const inTime = (frames: readonly number[]): number =>
  (100 * frames.filter((length) => length <= IN_TIME_MS).length) / frames.length
const rate = (frames: readonly number[]): number => (1000 * frames.length) / frames.reduce((sum, each) => sum + each, 0)
