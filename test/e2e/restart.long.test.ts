import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'

import { OPERATIONS, type OutputOf } from '@septet/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startDemo, type DemoProcess } from '../demo-process.ts'
import { eventually, newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

type Summary = OutputOf<typeof OPERATIONS.summaryGet>
type Findings = OutputOf<typeof OPERATIONS.findingsList>

let cluster: DemoProcess
let dataDir: string
const running: SeptetProcess[] = []
let headers: Record<string, string> = {}
const ask = async <Value>(url: string, path: string): Promise<Value> =>
  (await (await fetch(`${url}${path}`, { headers })).json()) as Value

beforeAll(async () => {
  cluster = await startDemo()
  dataDir = await newDataDir()
})
afterAll(async () => {
  for (const septet of running) await septet.stop()
  await cluster.stop()
  await removeDataDir(dataDir)
})

test('a Septet that starts while its cluster is away shows what was seen last, with its time, and says what is wrong', async () => {
  const kubeconfig = join(dataDir, 'kubeconfig')
  await copyFile(cluster.kubeconfigPath, kubeconfig)
  const environment = {
    SEPTET_DEMO: 'off',
    SEPTET_KUBECONFIG: kubeconfig,
    SEPTET_CLUSTER_NAME: 'prod',
    SEPTET_PROMETHEUS_URL: cluster.prometheusUrl,
  }
  const first = await startSeptet({ dataDir, environment })
  running.push(first)
  headers = await signIn(first)
  const before = await eventually(
    () => ask<Summary>(first.url, '/api/v1/summary?cluster=prod'),
    (summary) => summary.status?.kind !== undefined && summary.cost.capacity.value !== null,
  )
  await eventually(
    () => ask<Findings>(first.url, '/api/v1/findings?cluster=prod'),
    ({ findings }) => findings.length > 3,
  )
  expect(before.source.kind).toBe('cluster')
  await first.stop()
  await cluster.stop()

  const second = await startSeptet({ dataDir, environment })
  running.push(second)
  headers = await signIn(second)
  const after = await eventually(
    () => ask<Summary>(second.url, '/api/v1/summary?cluster=prod'),
    (summary) => summary.status?.kind === 'down',
  )
  expect(after.capacity.gpus).toBe(before.capacity.gpus)
  expect(after.utilization.allocated.value).not.toBeNull()
  expect(Date.parse(after.asOf ?? '')).toBeLessThanOrEqual(Date.now())
  expect(after.status.problems.map(({ message }) => message).join(' ')).toMatch(
    /is not responding|cannot be reached|refused/iu,
  )
})
