import type { Browser, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { overflow } from '../../page-flaws.ts'
import { visitDashboard } from './dashboard-page.ts'
import { NOW } from '@septet/web/testing'
import { signedIn } from './fixture-server.ts'
import type { FixtureServer } from './fixture-server.ts'
import { withFixtures } from './with-fixtures.ts'

// The specification's page with sample data, whose answers are the server's own: every figure that the specification
// names, and charts whose geometry says the same as their figures.

let browser: Browser
let server: FixtureServer
withFixtures((opened) => ({ browser, server } = opened))

type Look = { readonly width?: number; readonly cluster?: string }

/** Opens the Summary with all its charts drawn. */
function summary({ width = 1440, cluster = 'sample' }: Look, see: (page: Page) => Promise<void>): Promise<void> {
  const at = { url: `${server.url}/dashboard?cluster=${cluster}`, session: signedIn(NOW), now: NOW }
  const viewport = { width, height: 900 }
  const look = { viewport, timezoneId: 'UTC', reducedMotion: 'reduce' } as const
  return visitDashboard({ browser, ...at, ...look }, async (page) => {
    await page.locator('.recharts-pie-sector').first().waitFor()
    await page.locator('.recharts-bar-rectangle').first().waitFor()
    await page.getByTestId('trend-chart').locator('svg').first().waitFor()
    await see(page)
  })
}

const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const textOf = async (where: Locator): Promise<string> => (await where.innerText()).replaceAll(/\s+/gu, ' ')
/** The color of a token in the theme in force, as computed styles write it. */
const tokenColor = (page: Page, token: string): Promise<string> =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.backgroundColor = `var(${name})`
    const color = getComputedStyle(probe).backgroundColor
    probe.remove()
    return color
  }, token)
const groundOf = (where: Locator): Promise<string> => where.evaluate((node) => getComputedStyle(node).backgroundColor)

describe('sample data shows what the specification says', () => {
  test('in its order and with its words', async () => {
    await summary({}, async (page) => {
      await expect.poll(() => page.locator('main h1').innerText()).toBe('GPU Optimization Summary')
      await page.getByText('Real-time insights into your GPU infrastructure performance').waitFor()
      await page.getByText('All Systems Operational', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Export Report' }).waitFor()
      await expect
        .poll(() => page.locator('main h2').allInnerTexts())
        .toEqual([
          'Total Cost Savings',
          'GPU Utilization',
          'Active Workloads',
          'MIG Efficiency',
          'GPU Utilization Trend',
          'Workload Distribution',
          'Monthly Cost Optimization Impact',
          'MIG Partition Status',
          'AI Optimization Recommendations',
          'Active Workloads',
          // Beyond the specification, behind all of it.
          'Cost of waiting',
        ])
      await page.getByText('fixed figures').first().waitFor()
    })
  })

  test('in the four cards', async () => {
    await summary({}, async (page) => {
      await expect.poll(() => textOf(panel(page, 'Total Cost Savings'))).toMatch(/\$324K \+18% vs last month/u)
      const utilization = panel(page, 'GPU Utilization')
      await expect.poll(() => textOf(utilization)).toMatch(/87\.3% Target 85% · \+2\.3% above target/u)
      const meter = utilization.getByRole('meter')
      await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('87.3')
      const bar = await meter
        .locator('rect')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width))
      expect((bar[1] ?? 0) / (bar[0] ?? 1)).toBeCloseTo(0.873, 2)
      const workloads = panel(page, 'Active Workloads')
      await expect.poll(() => textOf(workloads)).toMatch(/127 104 running · 23 queued/u)
      await expect.poll(() => textOf(panel(page, 'MIG Efficiency'))).toMatch(/94\.7% Dynamic partitioning active/u)
    })
  })

  test('one stroke for each of the 127 workloads, 104 of them solid', async () => {
    await summary({}, async (page) => {
      const strokes = panel(page, 'Active Workloads').locator('svg rect')
      await expect.poll(() => strokes.count()).toBeGreaterThan(60)
      const heights = await strokes.evaluateAll((all) => all.map((stroke) => Number(stroke.getAttribute('height'))))
      const tall = heights.filter((height) => height === Math.max(...heights)).length
      expect(tall / heights.length).toBeCloseTo(104 / 127, 1)
    })
  })

  test('in the donut: radii 60 and 100, and 45, 30, 15 and 10 percent of the ring', async () => {
    await summary({}, async (page) => {
      const chart = panel(page, 'Workload Distribution')
      const paths = await chart
        .locator('.recharts-pie-sector path')
        .evaluateAll((all) => all.map((path) => path.getAttribute('d') ?? ''))
      const shares = paths.map(sectorOf)
      expect(shares.map(({ inner, outer }) => [inner, outer])).toEqual(Array.from({ length: 4 }, () => [60, 100]))
      // Four gaps of 1.5 degrees lie between the sectors.
      const whole = 360 - 4 * 1.5
      for (const [order, percent] of [45, 30, 15, 10].entries())
        expect((shares[order]?.degrees ?? 0) / whole).toBeCloseTo(percent / 100, 2)
      const words = await textOf(chart)
      for (const part of ['ML Training 45%', 'Inference 30%', 'Analytics 15%', 'Idle 10%'])
        expect(words).toContain(part)
      // Idle time has its texture, so that it is told from work without its color.
      const fills = await chart
        .locator('.recharts-pie-sector path')
        .evaluateAll((all) => all.map((path) => path.getAttribute('fill')))
      expect(fills[3]).toBe('url(#texture-idle)')
      expect(new Set(fills).size).toBe(4)
    })
  })

  test('in the monthly bars: from zero, as high as their figures, and savings that add up to the card', async () => {
    await summary({}, async (page) => {
      const chart = panel(page, 'Monthly Cost Optimization Impact')
      await chart.getByRole('button', { name: 'View as table' }).click()
      const rows = await chart
        .getByRole('row')
        .evaluateAll((all) =>
          all.slice(1).map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent)),
        )
      await chart.getByRole('button', { name: 'View as chart' }).click()
      expect(rows.map(([month]) => month)).toEqual(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'])
      const amounts = rows.map((row) => row.slice(2).map(Number))
      for (const [baseline = 0, optimized = 0, saved = 0] of amounts) expect(baseline - optimized).toBe(saved)
      const savings = amounts.map(([, , saved = 0]) => saved)
      expect(savings.reduce((sum, more) => sum + more, 0)).toBe(324_000)
      expect(Math.round((Number(savings[5]) / Number(savings[4]) - 1) * 100)).toBe(18)

      const bars = chart.locator('.recharts-bar')
      await bars.first().locator('.recharts-bar-rectangle path').first().waitFor()
      const boxes = await bars.evaluateAll((groups) =>
        groups.map((group) =>
          [...group.querySelectorAll<SVGGraphicsElement>('.recharts-bar-rectangle path')].map((bar) => {
            const { y, height } = bar.getBBox()
            return { bottom: y + height, height }
          }),
        ),
      )
      const drawn = boxes.flatMap((months, series) =>
        months.map((box, month) => ({ ...box, dollars: Number(amounts[month]?.[series]) })),
      )
      expect(drawn).toHaveLength(18)
      const [{ bottom, height, dollars } = { bottom: 0, height: 0, dollars: 1 }] = drawn
      for (const bar of drawn) {
        expect(bar.bottom).toBeCloseTo(bottom, 0)
        expect(Math.abs(bar.height - (height / dollars) * bar.dollars)).toBeLessThan(1)
      }
      await chart.getByText('Sample figures').waitFor()
    })
  })

  test('in the list of nodes: 8 partitions each, and a badge that says whether any is available', async () => {
    await summary({}, async (page) => {
      const rows = panel(page, 'MIG Partition Status')
        .getByRole('listitem')
        .filter({ has: page.getByRole('button') })
      await expect.poll(() => rows.count()).toBe(4)
      const seen = await Promise.all((await rows.all()).map(textOf))
      for (const [order, [name, used, busy, left]] of (
        [
          ['gpu-a100-03', '7 of 8', '91.0%', '1 free'],
          ['gpu-a100-07', '8 of 8', '62.0%', 'none free'],
          ['gpu-h100-01', '6 of 8', '88.0%', '2 free'],
          ['gpu-h200-02', '8 of 8', '97.0%', 'none free'],
        ] as const
      ).entries())
        for (const words of [name, used, busy, left]) expect(seen[order]).toContain(words)
      expect(await groundOf(rows.getByText('1 free'))).toBe(await tokenColor(page, '--sunken'))
      expect(await groundOf(rows.getByText('none free').first())).toBe(await tokenColor(page, '--fault-soft'))
    })
  })

  test('in the three tips', async () => {
    await summary({}, async (page) => {
      const tips = panel(page, 'AI Optimization Recommendations').getByRole('listitem')
      await expect.poll(() => tips.count()).toBe(3)
      const [scaleDown = '', mig = '', schedule = ''] = await Promise.all((await tips.all()).map(textOf))
      expect(scaleDown).toMatch(/Scale down .*\$1,200\/mo.*62% utilized/u)
      expect(mig).toMatch(/MIG.*15% performance gain/u)
      expect(schedule).toMatch(/23 minutes of queue time/u)
    })
  })

  test('in the list of workloads: name, namespace, GPUs, status and duration', async () => {
    await summary({}, async (page) => {
      const list = panel(page, 'List of active workloads')
      await expect.poll(() => list.getByRole('listitem').count()).toBe(4)
      const seen = await Promise.all((await list.getByRole('listitem').all()).map(textOf))
      expect(seen).toEqual([
        'llm-finetune ml-training 4 × A100 Running 2 h 34 min',
        'recommendation-serving inference 2 × H100 Running 22 h 15 min',
        'image-batch-scoring analytics 1 × V100 Running 47 min',
        'speech-pretraining ml-training 8 × H100 Queued 12 min',
      ])
      expect(await groundOf(list.getByText('Running').first())).toBe(await tokenColor(page, '--busy-soft'))
      expect(await groundOf(list.getByText('Queued'))).toBe(await tokenColor(page, '--sunken'))
      await list.getByRole('link', { name: '4 of 127, see all' }).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/workloads')
      await expect.poll(() => new URL(page.url()).search).toBe('?cluster=sample')
    })
  })
})

describe('a live cluster', () => {
  test('divides its GPU-hours into parts that add up, each with its explanation', async () => {
    await summary({ cluster: 'demo' }, async (page) => {
      const chart = panel(page, 'Workload Distribution')
      await chart.getByRole('button', { name: 'View as table' }).click()
      const cells = await chart
        .getByRole('row')
        .evaluateAll((all) => all.slice(1).map((row) => Number(row.lastElementChild?.textContent)))
      const parts = cells.slice(0, -1)
      expect(parts.reduce((sum, more) => sum + more, 0)).toBeCloseTo(cells.at(-1) ?? 0, 6)
      await chart.getByRole('button', { name: 'View as chart' }).click()
      await chart.getByRole('button', { name: /^Idle: 702 GPU-h/u }).focus()
      await page.getByRole('tooltip').getByText('GPU-h of Idle').waitFor({ state: 'attached' })
    })
  })

  test('keeps estimated and verified savings of a month apart, and says what a month does not hold', async () => {
    await summary({ cluster: 'demo' }, async (page) => {
      const chart = panel(page, 'Monthly Cost Optimization Impact')
      const words = await textOf(chart)
      expect(words).toMatch(/Waste \$30K Verified savings None yet/u)
      expect(words).toContain('Waste')
      expect(words).toContain('12 of 30 days')
      expect(words).not.toMatch(/\$0\.00|NaN/u)
    })
  })

  test('says why work waits, and shows names of any length without widening the page', async () => {
    await summary({ cluster: 'demo', width: 360 }, async (page) => {
      const list = panel(page, 'List of active workloads')
      await list.getByText('Quota of queue speech is used up (12 of 12 GPUs).').waitFor()
      await list.getByRole('link', { name: '8 of 231, see all' }).waitFor()
      expect(await overflow(page)).toBe(0)
    })
  })

  test('leads from a problem to where it is looked into', async () => {
    await summary({ cluster: 'demo' }, async (page) => {
      await page.getByRole('button', { name: 'GPU fault, and more' }).click()
      await page.getByRole('link', { name: 'Open node' }).first().click()
      const { pathname, searchParams } = new URL(page.url())
      expect([pathname, searchParams.get('q'), searchParams.get('cluster')]).toEqual([
        '/dashboard/fleet',
        'mig-h100-02',
        'demo',
      ])
    })
  })
})

/** Radii and angle of a ring's sector, from its path: an outer arc, a line inwards, an inner arc back. */
function sectorOf(path: string): { inner: number; outer: number; degrees: number } {
  const arcs = [...path.matchAll(/A\s*([\d.]+),([\d.]+)/gu)].map(([, radius]) => Number(radius))
  const [x1 = 0, y1 = 0] = numbersOf(/^M\s*([-\d.]+),([-\d.]+)/u.exec(path))
  const [large = 0, x2 = 0, y2 = 0] = numbersOf(
    /A\s*[\d.]+,[\d.]+,\s*[\d.]+,\s*([01]),\s*[01],\s*([-\d.]+),([-\d.]+)/u.exec(path),
  )
  const [outer = 0, inner = 0] = arcs
  const chord = Math.hypot(x2 - x1, y2 - y1)
  const small = (2 * Math.asin(Math.min(1, chord / (2 * outer))) * 180) / Math.PI
  return { inner, outer, degrees: large === 1 ? 360 - small : small }
}

const numbersOf = (found: RegExpExecArray | null): number[] => (found === null ? [] : found.slice(1).map(Number))
