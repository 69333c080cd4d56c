import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { openPrometheus } from '@septet/connectors'
import { DAY_MS, HOUR_MS, instant } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { telemetryPathsAgree } from '@septet/connectors/testing/telemetry-paths'
import { answeringExporters, startDemo, type DemoProcess } from '../demo-process.ts'
import { startPrometheus, startVictoriaMetrics, type Engine } from '../metrics-engines.ts'
import { systemTool, without } from '../system-tools.ts'

const prometheus = systemTool('prometheus', 'prometheus')
const victoria = systemTool('victoria-metrics', 'victoria-metrics')

const SECONDS = 8
/** Two scrapes of eight that fall on the other side of such a change move a mean by at most half a point. */
const STEADY_WITHIN = 0.02

let demo: DemoProcess
let exporterUrls: readonly string[]
const engines: Engine[] = []
beforeAll(async () => {
  demo = await startDemo()
  exporterUrls = await answeringExporters(demo)
})
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.stop()))
  await demo.stop()
})

/**
 * Load of the demo moves in steps that many devices share: a window that holds one compares too few, and is taken again.
 * So is one in which a busy machine made the two scrape at other moments; ways that disagree do so in every window.
 */
const WINDOWS = 8
const ENOUGH = 0.8

/** Reads the demo's exporters both ways, device by device. */
async function compare(engine: Engine): ReturnType<typeof telemetryPathsAgree> {
  engines.push(engine)
  const window = {
    exporterUrls,
    prometheus: openPrometheus({ url: engine.url }),
    seconds: SECONDS,
    steadyWithin: STEADY_WITHIN,
  }
  let found = await telemetryPathsAgree(window)
  for (let taken = 1; taken < WINDOWS && !isTelling(found); taken += 1) {
    found = await telemetryPathsAgree(window)
  }
  return found
}

const isTelling = ({ compared, devices, worst, strangers }: Awaited<ReturnType<typeof telemetryPathsAgree>>): boolean =>
  compared / devices > ENOUGH && worst <= 0.5 && strangers.length === 0

test('the engine of the demo counts what a model server does, as a real one would be asked', async () => {
  const engine = openPrometheus({ url: demo.prometheusUrl })
  const [serving] = await engine.instant('DCGM_FI_PROF_GR_ENGINE_ACTIVE{container="server"}')
  const { namespace = '', pod = '' } = serving?.labels ?? {}
  const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const window = { from: instant(to - DAY_MS), to: instant(to) }
  const work = await engine.work({ workload: `${namespace}/Deployment/any`, pods: [pod], window })
  expect(work).toMatchObject({ unit: 'tokens', source: 'vllm:generation_tokens_total' })
  expect(work?.byHour).toHaveLength(24)
})

describe('exporters scraped directly, and through a metrics engine', () => {
  test.skipIf(prometheus === undefined)(
    `a real Prometheus tells the same busy of each GPU and MIG device to half a point${without(prometheus, 'prometheus')}`,
    async () => {
      const engine = await startPrometheus({ binary: prometheus ?? '', scrape: exporterUrls })
      const { devices, compared, worst, strangers } = await compare(engine)
      expect(devices).toBeGreaterThan(200)
      expect(compared / devices).toBeGreaterThan(ENOUGH)
      expect(worst).toBeLessThanOrEqual(0.5)
      expect(strangers).toEqual([])
    },
  )

  test.skipIf(victoria === undefined)(
    `a real VictoriaMetrics answers the same queries with the same${without(victoria, 'victoria-metrics')}`,
    async () => {
      const file = join(demo.folder, 'scrape.yml')
      await writeFile(file, JSON.stringify(scrapeEverySecond(exporterUrls)))
      const flags = [`-promscrape.config=${file}`, '-search.latencyOffset=0s']
      const { devices, compared, worst, strangers } = await compare(await startVictoriaMetrics(victoria ?? '', flags))
      expect(devices).toBeGreaterThan(200)
      expect(compared / devices).toBeGreaterThan(ENOUGH)
      expect(worst).toBeLessThanOrEqual(0.5)
      expect(strangers).toEqual([])
    },
  )
})

const scrapeEverySecond = (urls: readonly string[]): unknown => ({
  global: { scrape_interval: '1s' },
  scrape_configs: urls.map((url, index) => {
    const { host, pathname } = new URL(url)
    return {
      job_name: `exporter-${index}`,
      metrics_path: pathname,
      honor_labels: true,
      static_configs: [{ targets: [host] }],
    }
  }),
})
