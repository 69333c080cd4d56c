import { installTools } from '../test/install-tools.ts'
import { openLighthouse, requestsOf, type Report } from '../test/lighthouse.ts'
import { newDataDir, removeDataDir, startSeptet } from '../test/server-process.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'
import { quantile } from './quantile.ts'

const RUNS = 5
const PAGES = ['/', '/auth']
const BASELINE = 'the same page, sent without compression'

/** How soon a page of the site is there on a phone, as Lighthouse reckons it. */
export const benchmark: Benchmark = {
  name: 'site-speed',
  description:
    `Lighthouse 13 with its mobile preset (simulated slow 4G, processor slowed 4 times), on ${PAGES.join(' and ')} of a ` +
    `running Septet without clusters: medians of ${RUNS} loads with an empty cache, compared with loads that refuse compression.`,
  run: async () => {
    const load = machineLoad()
    const dataDir = await newDataDir()
    const septet = await startSeptet({ dataDir, entry: 'scripts/start.mjs', environment: { SEPTET_DEMO: 'off' } })
    try {
      const figures: Figure[] = []
      for (const path of PAGES) {
        const sent = await reportsOf(`${septet.url}${path}`, {})
        const plain = await reportsOf(`${septet.url}${path}`, { 'Accept-Encoding': 'identity' })
        figures.push(...figuresOf(path, sent, plain))
      }
      return [load, ...figures]
    } finally {
      await septet.stop()
      await removeDataDir(dataDir)
    }
  },
}

/** Reports of several loads after one that only warms the server and is thrown away. */
async function reportsOf(url: string, extraHeaders: Record<string, string>): Promise<Report[]> {
  const lighthouse = await openLighthouse(await installTools(), {
    onlyCategories: ['performance'],
    disableFullPageScreenshot: true,
    extraHeaders,
  })
  try {
    const reports: Report[] = []
    for (let run = 0; run <= RUNS; run += 1) reports.push(await lighthouse.report(url))
    return reports.slice(1)
  } finally {
    await lighthouse.close()
  }
}

type Measure = {
  readonly name: string
  readonly unit: string
  readonly aim?: string
  readonly of: (report: Report) => number
}

const audit =
  (id: string) =>
  ({ audits }: Report): number =>
    audits[id]?.numericValue ?? Number.NaN

const MEASURES: readonly Measure[] = [
  {
    name: 'performance',
    unit: 'of 100',
    aim: '≥ 98 on /',
    of: ({ categories }) => 100 * (categories['performance']?.score ?? Number.NaN),
  },
  { name: 'largest contentful paint', unit: 'ms', aim: '≤ 1,500 ms on /', of: audit('largest-contentful-paint') },
  { name: 'total blocking time', unit: 'ms', aim: '≤ 50 ms on /', of: audit('total-blocking-time') },
  { name: 'cumulative layout shift', unit: '', aim: '≤ 0.01', of: audit('cumulative-layout-shift') },
  { name: 'bytes of script', unit: 'KiB', aim: '≤ 90 on /, ≤ 120 on /auth', of: (report) => kibOfScript(report) },
]

const kibOfScript = (report: Report): number =>
  requestsOf(report)
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024

function figuresOf(path: string, sent: readonly Report[], plain: readonly Report[]): Figure[] {
  return MEASURES.map(({ name, unit, aim, of }) => {
    const values = sent.map(of)
    const spread = `${RUNS} loads, ${short(Math.min(...values))} to ${short(Math.max(...values))}`
    return {
      name: `${path}: ${name}, median`,
      figure: quantile(values, 0.5),
      unit,
      baseline: { name: BASELINE, figure: quantile(plain.map(of), 0.5) },
      ...(aim === undefined ? {} : { aim }),
      note: spread,
    }
  })
}

const short = (value: number): string => String(Number(value.toPrecision(3)))
