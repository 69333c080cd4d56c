import { HOUR_MS, DEFAULT_POLICY, instant } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  importIntoVictoriaMetrics,
  startPrometheus,
  startVictoriaMetrics,
  type Engine,
} from '../../../../test/metrics-engines.ts'
import { systemTool, without } from '../../../../test/system-tools.ts'
import { openPrometheus, type Prometheus } from './open-prometheus.ts'

const prometheus = systemTool('prometheus', 'prometheus')
const promtool = systemTool('promtool', 'prometheus')
const victoria = systemTool('victoria-metrics', 'victoria-metrics')

const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const START = NOW - 2 * HOUR_MS

/** Two clusters whose nodes, GPUs and namespaces have the same names: only the label tells their series apart. */
const CLUSTERS = [
  { cluster: 'east', pod: 'train-east', busy: 0.25, owner: 'trainer' },
  { cluster: 'west', pod: 'train-west', busy: 0.75, owner: undefined },
]
const SAME =
  'gpu="0",UUID="GPU-1",modelName="NVIDIA H100 80GB HBM3",Hostname="node-1",container="main",namespace="team"'

/** One line for each sample, oldest first; `until` is when the last one is. */
const linesOf = (until: number, stamp: (at: number) => string): string =>
  CLUSTERS.flatMap(({ cluster, pod, busy, owner }) => {
    const times = Array.from({ length: (until - START) / 30_000 + 1 }, (_, order) => START + order * 30_000)
    const own = `cluster="${cluster}",pod="${pod}"`
    return times.flatMap((at) => [
      `DCGM_FI_PROF_GR_ENGINE_ACTIVE{${own},${SAME}} ${busy} ${stamp(at)}\n`,
      ...(owner === undefined
        ? []
        : [`kube_pod_owner{${own},namespace="team",owner_kind="StatefulSet",owner_name="${owner}"} 1 ${stamp(at)}\n`]),
    ])
  }).join('')

async function pastOf(engine: Prometheus) {
  const rows = []
  const window = { from: instant(START), to: instant(NOW) }
  for await (const batch of engine.history({ window, span: '1h', idle: DEFAULT_POLICY.idle })) rows.push(...batch.usage)
  return rows
}

const clusterOf = (url: string, cluster: string): Prometheus =>
  openPrometheus({ url, matchers: `cluster="${cluster}"` })

/** Whether the past, the metrics and the counts of either cluster are its own; what is not ends the test. */
async function areApart(url: string): Promise<boolean> {
  for (const { cluster, pod, busy, owner } of CLUSTERS) {
    const engine = clusterOf(url, cluster)
    const rows = await pastOf(engine)
    expect(rows.length).toBeGreaterThanOrEqual(2)
    expect(new Set(rows.map((row) => [row.pod, row.busy?.toFixed(6), row.owner?.name].join(' ')))).toEqual(
      new Set([[pod, busy.toFixed(6), owner].join(' ')]),
    )
    const names = await engine.metricNames({ from: instant(START), to: instant(NOW) })
    expect(names.includes('kube_pod_owner')).toBe(owner !== undefined)
    const counted = await engine.instant('sum(count_over_time(DCGM_FI_PROF_GR_ENGINE_ACTIVE[1h]))', { at: NOW })
    expect(counted[0]?.samples[0]?.value).toBeLessThanOrEqual(121)
  }
  return (await pastOf(clusterOf(url, 'north'))).length === 0
}

describe.skipIf(prometheus === undefined)(`two clusters in one Prometheus${without(prometheus, 'prometheus')}`, () => {
  let engine: Engine
  beforeAll(async () => {
    const history = `${linesOf(NOW, (at) => String(at / 1000))}# EOF\n`
    engine = await startPrometheus({ binary: prometheus ?? '', promtool: promtool ?? '', history })
  })
  afterAll(() => engine.stop())

  test('never mix', async () => expect(await areApart(engine.url)).toBe(true))
})

describe.skipIf(victoria === undefined)(
  `two clusters in one VictoriaMetrics${without(victoria, 'victoria-metrics')}`,
  () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await startVictoriaMetrics(victoria ?? '', ['-search.latencyOffset=0s'])
      await importIntoVictoriaMetrics(
        engine,
        linesOf(Math.floor(Date.now() / 30_000) * 30_000, (at) => String(at)),
      )
    })
    afterAll(() => engine.stop())

    test('never mix', async () => expect(await areApart(engine.url)).toBe(true))

    test('are told apart now', async () => {
      for (const { cluster, pod, busy } of CLUSTERS) {
        const { samples } = await clusterOf(engine.url, cluster).read()
        expect(samples.map((sample) => [sample.holder?.pod, sample.busy])).toEqual([[pod, busy]])
      }
      // Without matchers the GPUs of one are taken for those of the other.
      const { samples } = await openPrometheus({ url: engine.url }).read()
      expect(samples).toHaveLength(1)
    })
  },
)
