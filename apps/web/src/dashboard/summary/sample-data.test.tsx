import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { parameters, wordsOf } from '../../read-page.fake.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'

// The specification's page with sample data, whose answers are the server's own: every figure that the specification
// names, and charts whose geometry says the same as their figures.

/** Opens the Summary with all its charts drawn. */
async function summary(cluster = 'sample'): ReturnType<typeof openDashboard> {
  const opened = await openDashboard(`/dashboard?cluster=${cluster}`)
  for (const drawn of [
    '.recharts-pie-sector',
    '.recharts-bar-rectangle',
    '[data-testid=trend-chart] svg',
    '[aria-label="List of active workloads"]',
  ])
    // oxlint-disable-next-line no-await-in-loop -- one chart after the other
    await expect.poll(() => document.querySelector(drawn)).not.toBeNull()
  return opened
}

const panel = (name: string): HTMLElement => screen.getByRole('region', { name })
const attributes = (where: Element, selector: string, name: string): (string | null)[] =>
  [...where.querySelectorAll(selector)].map((part) => part.getAttribute(name))

describe('sample data shows what the specification says', () => {
  test('in its order and with its words', async () => {
    await summary()
    const main = screen.getByRole('main')
    expect(within(main).getByRole('heading', { level: 1 }).textContent).toBe('GPU Optimization Summary')
    screen.getByText('Real-time insights into your GPU infrastructure performance')
    screen.getByText('All Systems Operational')
    screen.getByRole('button', { name: 'Export Report' })
    expect(
      within(main)
        .getAllByRole('heading', { level: 2 })
        .map(({ textContent }) => textContent),
    ).toEqual([
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
    const words = wordsOf(document.body)
    for (const label of ['Sample data:', 'fixed figures', 'Not live']) expect(words).toContain(label)
    expect(document.title).toBe('GPU Optimization Summary · Septet')
  })

  test('in the four cards', async () => {
    await summary()
    expect(wordsOf(panel('Total Cost Savings'))).toMatch(/\$324K .*\+18% vs last month/u)
    const utilization = panel('GPU Utilization')
    expect(wordsOf(utilization)).toMatch(/87\.3% .*Target 85% · \+2\.3% above target/u)
    const meter = within(utilization).getByRole('meter')
    expect(meter.getAttribute('aria-valuenow')).toBe('87.3')
    const [track, busy] = attributes(meter, 'rect', 'width').map((width) => Number.parseFloat(width ?? ''))
    expect((busy ?? 0) / (track ?? 1)).toBeCloseTo(0.873, 2)
    expect(wordsOf(panel('Active Workloads'))).toMatch(/127 104 running · 23 queued/u)
    expect(wordsOf(panel('MIG Efficiency'))).toMatch(/94\.7% .*Dynamic partitioning active/u)
  })

  test('one stroke for each of the 127 workloads, 104 of them solid', async () => {
    await summary()
    const heights = attributes(panel('Active Workloads'), 'svg rect', 'height').map(Number)
    expect(heights.length).toBeGreaterThan(60)
    const tall = heights.filter((height) => height === Math.max(...heights)).length
    expect(tall / heights.length).toBeCloseTo(104 / 127, 1)
  })

  test('in the donut: radii 60 and 100, and 45, 30, 15 and 10 percent of the ring', async () => {
    await summary()
    const chart = panel('Workload Distribution')
    const shares = attributes(chart, '.recharts-pie-sector path', 'd').map((path) => sectorOf(path ?? ''))
    expect(shares.map(({ inner, outer }) => [inner, outer])).toEqual(Array.from({ length: 4 }, () => [60, 100]))
    // Four gaps of 1.5 degrees lie between the sectors.
    const whole = 360 - 4 * 1.5
    for (const [order, percent] of [45, 30, 15, 10].entries())
      expect((shares[order]?.degrees ?? 0) / whole).toBeCloseTo(percent / 100, 2)
    const words = wordsOf(chart)
    for (const part of ['ML Training 45%', 'Inference 30%', 'Analytics 15%', 'Idle 10%']) expect(words).toContain(part)
    // Idle time has its texture, so that it is told from work without its color.
    const fills = attributes(chart, '.recharts-pie-sector path', 'fill')
    expect(fills[3]).toBe('url(#texture-idle)')
    expect(new Set(fills).size).toBe(4)
  })

  test('in the monthly bars: from zero, as high as their figures, and savings that add up to the card', async () => {
    const { user } = await summary()
    const chart = panel('Monthly Cost Optimization Impact')
    await user.click(within(chart).getByRole('button', { name: 'View as table' }))
    const rows = within(chart)
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent))
    await user.click(within(chart).getByRole('button', { name: 'View as chart' }))
    expect(rows.map(([month]) => month)).toEqual(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'])
    const amounts = rows.map((row) => row.slice(2).map(Number))
    for (const [baseline = 0, optimized = 0, saved = 0] of amounts) expect(baseline - optimized).toBe(saved)
    const savings = amounts.map(([, , saved = 0]) => saved)
    expect(savings.reduce((sum, more) => sum + more, 0)).toBe(324_000)
    expect(Math.round((Number(savings[5]) / Number(savings[4]) - 1) * 100)).toBe(18)

    await expect.poll(() => chart.querySelectorAll('.recharts-bar-rectangle path').length).toBe(18)
    const drawn = [...chart.querySelectorAll('.recharts-bar')].flatMap((series, order) =>
      [...series.querySelectorAll('.recharts-bar-rectangle path')].map((bar, month) => {
        const [top, height] = [Number(bar.getAttribute('y')), Number(bar.getAttribute('height'))]
        return { bottom: top + height, height, dollars: Number(amounts[month]?.[order]) }
      }),
    )
    const [{ bottom, height, dollars } = { bottom: 0, height: 0, dollars: 1 }] = drawn
    expect(height).toBeGreaterThan(10)
    for (const bar of drawn) {
      expect(bar.bottom).toBeCloseTo(bottom, 0)
      expect(Math.abs(bar.height - (height / dollars) * bar.dollars)).toBeLessThan(1)
    }
    within(chart).getByText(/Sample figures/u)
  })

  test('in the list of nodes: 8 partitions each, and a badge that says whether any is available', async () => {
    await summary()
    const rows = within(panel('MIG Partition Status'))
      .getAllByRole('listitem')
      .filter((row) => row.querySelector('button') !== null)
    expect(rows).toHaveLength(4)
    for (const [order, expected] of [
      ['gpu-a100-03', '7 of 8', '91.0%', '1 free'],
      ['gpu-a100-07', '8 of 8', '62.0%', 'none free'],
      ['gpu-h100-01', '6 of 8', '88.0%', '2 free'],
      ['gpu-h200-02', '8 of 8', '97.0%', 'none free'],
    ].entries())
      for (const words of expected) expect(wordsOf(rows[order] as Element)).toContain(words)
    expect(screen.getByText('1 free').className).toContain('bg-sunken')
    for (const badge of screen.getAllByText('none free')) expect(badge.className).toContain('bg-fault-soft')
  })

  test('in the three tips', async () => {
    await summary()
    const tips = within(panel('AI Optimization Recommendations')).getAllByRole('listitem').map(wordsOf)
    expect(tips).toEqual([
      expect.stringMatching(/Scale down .*\$1,200\/mo.*62% utilized/u),
      expect.stringMatching(/MIG.*15% performance gain/u),
      expect.stringMatching(/23 minutes of queue time/u),
    ])
  })

  test('in the list of workloads: name, namespace, GPUs, status and duration', async () => {
    const { user } = await summary()
    const list = panel('List of active workloads')
    expect(within(list).getAllByRole('listitem').map(wordsOf)).toEqual([
      'llm-finetune ml-training 4 × A100 Running 2 h 34 min',
      'recommendation-serving inference 2 × H100 Running 22 h 15 min',
      'image-batch-scoring analytics 1 × V100 Running 47 min',
      'speech-pretraining ml-training 8 × H100 Queued 12 min',
    ])
    for (const badge of within(list).getAllByText('Running')) expect(badge.className).toContain('bg-busy-soft')
    expect(within(list).getByText('Queued').className).toContain('bg-sunken')
    await user.click(within(list).getByRole('link', { name: '4 of 127, see all' }))
    expect(location.pathname).toBe('/dashboard/workloads')
    expect(parameters()).toEqual({ cluster: 'sample' })
  })
})

describe('a live cluster', () => {
  test('divides its GPU-hours into parts that add up, each with its explanation', async () => {
    const { user } = await summary('demo')
    const chart = within(panel('Workload Distribution'))
    await user.click(chart.getByRole('button', { name: 'View as table' }))
    const hours = chart
      .getAllByRole('row')
      .slice(1)
      .map((row) => Number(row.lastElementChild?.textContent))
    const whole = hours.pop() ?? 0
    expect(hours.reduce((sum, more) => sum + more, 0)).toBeCloseTo(whole, 6)
    await user.click(chart.getByRole('button', { name: 'View as chart' }))
    chart.getByRole('button', { name: /^Idle: 702 GPU-h/u }).focus()
    expect(wordsOf(await screen.findByRole('tooltip'))).toContain('GPU-h of Idle')
  })

  test('keeps estimated and verified savings of a month apart, and says what a month does not hold', async () => {
    await summary('demo')
    const words = wordsOf(panel('Monthly Cost Optimization Impact'))
    expect(words).toMatch(/Waste \$30K .*Verified savings None yet/u)
    expect(words).toContain('12 of 30 days')
    expect(words).not.toMatch(/\$0\.00|NaN/u)
  })

  test('says why work waits', async () => {
    await summary('demo')
    const list = within(panel('List of active workloads'))
    await list.findByText('Quota of queue speech is used up (12 of 12 GPUs).')
    list.getByRole('link', { name: '8 of 231, see all' })
  })

  test('leads from a problem to where it is looked into', async () => {
    const { user } = await summary('demo')
    await user.click(screen.getByRole('button', { name: 'GPU fault, and more' }))
    const [first] = screen.getAllByRole('link', { name: 'Open node' })
    await user.click(first as HTMLElement)
    expect([location.pathname, parameters()]).toEqual([
      '/dashboard/fleet',
      expect.objectContaining({ q: 'mig-h100-02' }),
    ])
    expect(parameters()['cluster']).toBe('demo')
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
