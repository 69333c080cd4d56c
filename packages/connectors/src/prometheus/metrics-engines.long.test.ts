import { execFileSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

import { DEFAULT_POLICY, type HistoricUsage, instant } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  type Engine,
  importIntoVictoriaMetrics,
  startPrometheus,
  startVictoriaMetrics,
} from '../../../../test/metrics-engines.ts'
import { systemTool, without } from '../../../../test/system-tools.ts'
import { boundedGet, type BoundedGet } from '../http/bounded-get.ts'
import { openPrometheus } from './open-prometheus.ts'
import { telemetryPathsAgree } from './telemetry-paths.contract.ts'

const prometheus = systemTool('prometheus', 'prometheus')
const promtool = systemTool('promtool', 'prometheus')
const victoria = systemTool('victoria-metrics', 'victoria-metrics')

type Device = { labels: string; busy: (at: number) => number; name: string }

const slow = (at: number) => 0.1 * Math.sin((2 * Math.PI * at) / 7_000_000)

/** A whole H100 held by a pod, an idle T4 with the newer names, and an A100 cut in two. */
const DEVICES: Device[] = [
  {
    name: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE',
    labels:
      'gpu="0",UUID="GPU-h",modelName="NVIDIA H100 80GB HBM3",Hostname="node-h",container="main",namespace="team-a",pod="train-0"',
    busy: (at) => 0.6 + 0.1 * Math.sin((2 * Math.PI * at) / 12_000) + slow(at),
  },
  {
    name: 'DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO',
    labels: 'gpu="1",UUID="GPU-t",modelName="Tesla T4",hostname="node-t"',
    busy: () => 0,
  },
  ...[1, 2].map((id) => ({
    name: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE',
    labels: `gpu="2",UUID="GPU-a",modelName="NVIDIA A100-SXM4-40GB",GPU_I_PROFILE="3g.20gb",GPU_I_ID="${id}",Hostname="node-a",container="main",namespace="team-b",pod="serve-${id}"`,
    busy: (at: number) => 0.3 * id + 0.05 * Math.cos((2 * Math.PI * at) / 12_000) + slow(at),
  })),
]

const exposition = (at: number): string =>
  Object.entries(Object.groupBy(DEVICES, (device) => device.name))
    .map(
      ([name, found = []]) =>
        `# TYPE ${name} gauge\n${found.map(({ labels, busy }) => `${name}{${labels}} ${busy(at)}\n`).join('')}`,
    )
    .join('') + DEVICES.map(({ labels }) => `DCGM_FI_DEV_POWER_USAGE{${labels}} 100\n`).join('')

/** Two hours and a half, every 30 s; the last hour of the T4 has a gap of 20 minutes. */
const NOW = Date.UTC(2026, 0, 15, 10, 30)
const START = NOW - 9_000_000
function* past(): Generator<{ device: Device; at: number }> {
  for (const device of DEVICES) {
    for (let at = START; at <= NOW; at += 30_000) {
      const gap = device.labels.includes('GPU-t') && at > NOW - 3_000_000 && at <= NOW - 1_800_000
      if (!gap) yield { device, at }
    }
  }
}
/** What kube-state-metrics records of owners: a Job of a CronJob, and a pod that nobody owns. */
const OWNERS = [
  'kube_pod_owner{namespace="team-a",pod="train-0",owner_kind="Job",owner_name="train-29"} 1',
  'kube_job_owner{namespace="team-a",job_name="train-29",owner_kind="CronJob",owner_name="train"} 1',
  'kube_pod_owner{namespace="team-b",pod="serve-1",owner_kind="<none>",owner_name="<none>"} 1',
]
const history = (stamp: (at: number) => string): string =>
  [
    ...[...past()].map(({ device, at }) => `${device.name}{${device.labels}} ${device.busy(at)} ${stamp(at)}\n`),
    ...OWNERS.flatMap((owner) =>
      Array.from({ length: 15 }, (_, order) => START + order * 600_000).map((at) => `${owner} ${stamp(at)}\n`),
    ),
  ].join('')

async function rowsOf(
  url: string,
  { to = NOW, ...more }: Partial<Parameters<typeof openPrometheus>[0]> & { readonly to?: number } = {},
): Promise<HistoricUsage[]> {
  const rows: HistoricUsage[] = []
  const window = { from: instant(START), to: instant(to) }
  for await (const batch of openPrometheus({ url, ...more }).history({ window, span: '1h', idle: DEFAULT_POLICY.idle }))
    rows.push(...batch.usage)
  return rows
}

function expectPast(rows: readonly HistoricUsage[]): void {
  expect(rows.length).toBe(3 * DEVICES.length - (START % 3_600_000 === 0 ? 0 : DEVICES.length))
  expect(rows.map((row) => row.at)).toEqual(rows.map((row) => row.at).toSorted((a, b) => b - a))
  for (const row of rows) {
    const device = DEVICES.find(
      ({ labels }) => labels.includes(row.gpu) && labels.includes(row.instance ? `ID="${row.instance.id}"` : ''),
    )
    const inside = [...past()].filter(
      (one) => one.device === device && one.at >= row.at && one.at <= row.at + 3_600_000,
    )
    const busy = inside.map(({ device: { busy: value }, at }) => value(at))
    expect(row.busy).toBeCloseTo(busy.reduce((sum, value) => sum + value, 0) / busy.length, 2)
    // A bucket's first instant belongs to it in Prometheus 2 and to the one before in Prometheus 3 and VictoriaMetrics.
    const peaks = [inside, inside.filter((one) => one.at > row.at)].map((samples) =>
      Math.max(...samples.map(({ device: { busy: value }, at }) => value(at))),
    )
    expect(peaks.map((peak) => peak.toFixed(6))).toContain(row.busyPeak?.toFixed(6))
    expect(row.observedSeconds).toBeGreaterThan(inside.length * 30 * 0.97)
    expect(row.observedSeconds).toBeLessThanOrEqual(inside.length * 30 * 1.03)
  }
  expect(new Map(rows.map(({ pod, owner }) => [pod, owner && `${owner.kind}/${owner.name} ${owner.class}`]))).toEqual(
    new Map([
      ['train-0', 'CronJob/train analytics'],
      ['', undefined],
      ['serve-1', 'Pod/serve-1 unknown'],
      ['serve-2', undefined],
    ]),
  )
  expect(new Set(rows.map((row) => `${row.namespace}/${row.pod}`))).toEqual(
    new Set(['team-a/train-0', '/', 'team-b/serve-1', 'team-b/serve-2']),
  )
}

describe.skipIf(prometheus === undefined)(`a real Prometheus${without(prometheus, 'prometheus')}`, () => {
  let exporter: Server
  let exporterUrl: string
  const engines: Engine[] = []
  const begin = async (engine: Promise<Engine>) => {
    engines.push(await engine)
    return engines.at(-1)?.url ?? ''
  }

  beforeAll(async () => {
    exporter = createServer((_, answer) => answer.end(exposition(Date.now())))
    await new Promise<void>((resolve) => exporter.listen(0, '127.0.0.1', resolve))
    exporterUrl = `http://127.0.0.1:${(exporter.address() as AddressInfo).port}/metrics`
  })
  afterAll(async () => {
    await Promise.all(engines.map((engine) => engine.stop()))
    exporter.close()
  })

  it.concurrent.each([
    { honorLabels: true, targetLabels: {} },
    {
      honorLabels: false,
      targetLabels: {
        namespace: 'monitoring',
        pod: 'dcgm-exporter-x',
        container: 'exporter',
        service: 'dcgm-exporter',
      },
    },
  ])('tells the same as direct scraping, labels honored: $honorLabels', async (labels) => {
    const url = await begin(startPrometheus({ binary: prometheus ?? '', scrape: [exporterUrl], ...labels }))
    const { devices, worst, strangers } = await telemetryPathsAgree({
      exporterUrls: [exporterUrl],
      prometheus: openPrometheus({ url }),
      seconds: 12,
    })
    expect(devices).toBe(DEVICES.length)
    expect(worst).toBeLessThanOrEqual(0.5)
    expect(strangers).toEqual([])
  })

  it('tells the past by bucket, also when it only allows small queries', async () => {
    const text = `${history((at) => String(at / 1000))}# EOF\n`
    const setup = { binary: prometheus ?? '', promtool: promtool ?? '', history: text }
    const url = await begin(startPrometheus(setup))
    const rows = await rowsOf(url)
    expectPast(rows)
    // A large cluster is told index by index: the same rows, each GPU's in one batch.
    const to = Math.floor(NOW / 3_600_000) * 3_600_000
    const whole = await rowsOf(url, { to })
    const asked: string[] = []
    const get: BoundedGet = (request) => {
      asked.push(request.url)
      return boundedGet(request)
    }
    const byIndex = await rowsOf(url, { to, devicesAtOnce: 1, get })
    expect(byIndex).toEqual(whole.toSorted((a, b) => a.index - b.index))
    // Who owns what is the same for the GPUs of every index.
    const owners = asked.filter((each) => each.includes('kube_pod_owner'))
    expect(owners.length).toBe(new Set(owners).size)
    // 121 samples of one series in an hour: whole pieces are refused, single buckets by GPU index are not.
    const small = await begin(startPrometheus({ ...setup, flags: ['--query.max-samples=260'] }))
    expect(await rowsOf(small)).toEqual(rows)
  })

  it('is asked in pieces of at most 11,000 points', async () => {
    const url = engines.at(-2)?.url ?? ''
    const client = openPrometheus({ url })
    const range = { query: 'vector(1)', from: NOW - 25_000_000, to: NOW, stepMs: 1000 }
    const [series] = await client.range(range)
    expect(series?.samples.length).toBe(25_001)
    expect(new Set(series?.samples.map((sample) => sample.at)).size).toBe(25_001)
    await expect(openPrometheus({ url, maximumPoints: 20_000 }).range(range)).rejects.toMatchObject({ code: 'limit' })
  })

  it('is told apart from one that scrapes no exporter', async () => {
    const url = await begin(startPrometheus({ binary: prometheus ?? '' }))
    await expect(openPrometheus({ url }).read()).rejects.toThrow(
      /has no series of dcgm-exporter.*DCGM_FI_PROF_GR_ENGINE_ACTIVE/,
    )
    await expect(openPrometheus({ url }).instant('sum(')).rejects.toMatchObject({ code: 'rejected' })
  })

  it.skipIf(promtool === undefined)('finds nothing wrong with the recording rules', () => {
    const rules = fileURLToPath(new URL('../../../../deploy/prometheus-rules.yaml', import.meta.url))
    const said = execFileSync(promtool ?? '', ['check', 'rules', rules], { encoding: 'utf8' })
    expect(said).toMatch(/SUCCESS: \d+ rules found/)
  })
})

describe.skipIf(victoria === undefined)(`a real VictoriaMetrics${without(victoria, 'victoria-metrics')}`, () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await startVictoriaMetrics(victoria ?? '', ['-search.latencyOffset=0s'])
    await importIntoVictoriaMetrics(
      engine,
      history((at) => String(at)),
    )
    // It answers for whole seconds: a sample of this very second is not there yet.
    const at = Date.now() - 2000
    await importIntoVictoriaMetrics(
      engine,
      exposition(at).replaceAll(/^[^#].*$/gm, (line) => `${line} ${at}`),
    )
  })
  afterAll(() => engine.stop())

  it('tells the past like Prometheus does', async () => {
    const rows = await rowsOf(engine.url)
    expectPast(rows)
    expect(rows.some((row) => row.busy !== undefined)).toBe(true)
  })

  it('tells the devices now', async () => {
    const { samples, targets } = await openPrometheus({ url: engine.url }).read()
    expect(samples.map(({ node, index, instance, holder }) => [node, index, instance?.id, holder?.pod])).toEqual([
      ['node-a', 2, '1', 'serve-1'],
      ['node-a', 2, '2', 'serve-2'],
      ['node-h', 0, undefined, 'train-0'],
      ['node-t', 1, undefined, undefined],
    ])
    expect(targets.every((target) => target.kind === 'up')).toBe(true)
  })
})
