import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'

import type { Figure } from './benchmark.ts'
import { quantile } from './quantile.ts'

const WEB = join(import.meta.dirname, '../apps/web')
/** 30 days in steps of 5 minutes. */
const POINTS = 8640
const DRAWN = 7
const HOVER_SECONDS = 4
const BASELINE = 'Recharts (SVG)'

/** The dashboard's dense chart (uPlot, canvas) beside the same points by an SVG chart library: drawn, and looked at. */
export async function chartFigures(browser: Browser): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'septet-charts-'))
  try {
    const script = await built(folder)
    const canvas = await figuresOf(browser, { script, kind: 'canvas' })
    const svg = await figuresOf(browser, { script, kind: 'svg' })
    const beside = (of: (drawn: Drawn) => number) => ({
      figure: of(canvas),
      baseline: { name: BASELINE, figure: of(svg) },
    })
    const what = `3 series of ${POINTS.toLocaleString('en-US')} points`
    return [
      {
        name: `${what}: from asking to painted, median`,
        unit: 'ms',
        note: `drawn ${DRAWN} times`,
        ...beside(({ draw }) => quantile(draw, 0.5)),
      },
      {
        name: `${what}: time between frames while pointed at, median`,
        unit: 'ms',
        ...beside(({ hover }) => quantile(hover, 0.5)),
      },
      {
        name: `${what}: time between frames while pointed at, p95`,
        unit: 'ms',
        note: `${HOVER_SECONDS} s of movement`,
        ...beside(({ hover }) => quantile(hover, 0.95)),
      },
      { name: `${what}: elements in the page`, unit: '', ...beside(({ elements }) => elements) },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Both charts and what they need as one script. */
async function built(folder: string): Promise<string> {
  await build({
    configFile: false,
    root: WEB,
    logLevel: 'error',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      lib: { entry: join(WEB, 'src/bench/chart-page.tsx'), formats: ['iife'], name: 'charts', fileName: 'charts' },
    },
  })
  const file = (await readdir(folder)).find((name) => name.endsWith('.js'))
  if (file === undefined) throw new Error('the page of charts was not built')
  return join(folder, file)
}

type Drawn = { readonly draw: readonly number[]; readonly hover: readonly number[]; readonly elements: number }
type Kind = 'canvas' | 'svg'

const TOKENS =
  ':root{--ink-quiet:#667;--ink-soft:#445;--line:#ddd;--busy:#0a8f7a;--idle:#b80;--free:#99a;--fault:#c33;--stranded:#a64;--accent:#06c}'

async function figuresOf(
  browser: Browser,
  { script, kind }: { readonly script: string; readonly kind: Kind },
): Promise<Drawn> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
  try {
    await page.setContent(`<!doctype html><style>${TOKENS}</style><body></body>`)
    await page.addScriptTag({ path: script })
    const draw: number[] = []
    for (let time = 0; time < DRAWN; time += 1) draw.push(await drawTime(page, kind))
    const elements = await page.evaluate(() => document.querySelectorAll('body *').length)
    const hover = await page.evaluate(moveOver, HOVER_SECONDS)
    return { draw, hover, elements }
  } finally {
    await page.close()
  }
}

type ChartPage = { drawChart?: (kind: Kind, count: number) => void; clearChart?: () => void }

/** From asking for the chart until it is in the page and painted. */
const drawTime = (page: Page, kind: Kind): Promise<number> =>
  page.evaluate(
    async ({ what, points }) => {
      const chart: ChartPage = Object(globalThis)
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- what runs in the page brings along what it uses
      const nextFrame = () =>
        new Promise<void>((done) => {
          requestAnimationFrame(() => setTimeout(done))
        })
      chart.clearChart?.()
      await nextFrame()
      const started = performance.now()
      chart.drawChart?.(what, points)
      const mark = what === 'canvas' ? 'canvas' : 'path.recharts-line-curve'
      while (document.querySelector(mark) === null) await new Promise((done) => setTimeout(done))
      await nextFrame()
      return performance.now() - started
    },
    { what: kind, points: POINTS },
  )

/** Runs in the page: the pointer goes to and fro over the chart, a step in each frame. */
function moveOver(seconds: number): Promise<number[]> {
  const target = document.querySelector('.u-over, svg.recharts-surface')
  if (target === null) return Promise.resolve([])
  const { left, top, width, height } = target.getBoundingClientRect()
  return new Promise((done) => {
    const frames: number[] = []
    let last = performance.now()
    const until = last + seconds * 1000
    const step = (now: number): void => {
      frames.push(now - last)
      last = now
      const clientX = left + width * (0.5 + 0.4 * Math.sin(frames.length / 30))
      for (const type of ['pointermove', 'mousemove']) {
        const init = { clientX, clientY: top + height / 2, bubbles: true, cancelable: true }
        target.dispatchEvent(type === 'pointermove' ? new PointerEvent(type, init) : new MouseEvent(type, init))
      }
      if (now < until) requestAnimationFrame(step)
      else done(frames.slice(2))
    }
    target.dispatchEvent(new MouseEvent('mouseenter', { clientX: left + 5, clientY: top + 5 }))
    requestAnimationFrame(step)
  })
}
