import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'

import {
  HOUR_MS,
  type ClusterAnalysis,
  type GpuNode,
  type OpenCostComparison,
  type Reconciliation,
} from '@septet/domain'
import { readSnapshotFile } from '@septet/plan-files'
import { parquetWriteFile } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { childEnvironment } from '../child-environment.ts'
import { startDemo, type DemoProcess } from '../demo-process.ts'
import { newDataDir, removeDataDir } from '../server-process.ts'
import { centsOf, csvOf, makeBill, sumOf, type SyntheticBill } from './synthetic-bill.ts'

type Kind = { readonly kind: string; readonly charges: number; readonly billed: number; readonly effective: number }
type BillReport = {
  readonly billed: number
  readonly effective: number
  readonly charges: number
  readonly kinds: readonly Kind[]
  readonly machines: readonly { readonly gpuHours: number; readonly effective: number }[]
  readonly commitments: readonly { readonly purchased: number; readonly used: number; readonly unused: number }[]
  readonly reconciliation: Reconciliation
  readonly notes: readonly string[]
}

const main = resolve(import.meta.dirname, '../../apps/cli/src/main.ts')

let folder: string
beforeAll(async () => {
  folder = await newDataDir()
})
afterAll(() => removeDataDir(folder))

function cli(...args: readonly string[]): Promise<string> {
  const options = { env: childEnvironment(), maxBuffer: 1e8 }
  return new Promise((done, fail) => {
    execFile(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], options, (error, out, err) =>
      error === null ? done(out) : fail(new Error(err)),
    )
  })
}

function written(name: string, bill: SyntheticBill): string {
  const path = join(folder, name)
  writeFileSync(path, csvOf(bill))
  return path
}

const cents = (amounts: readonly number[]): number =>
  amounts.map((amount) => Math.round(amount * 100)).reduce((sum, amount) => sum + amount, 0)

/** What a report says of a bill is what the bill says, to the cent. */
function reconciles(report: BillReport, bill: SyntheticBill): void {
  expect(report.charges).toBe(bill.length)
  expect(cents([report.billed])).toBe(centsOf(sumOf(bill, 'BilledCost')))
  expect(cents([report.effective])).toBe(centsOf(sumOf(bill, 'EffectiveCost')))
  for (const amount of ['billed', 'effective'] as const) {
    expect(cents(report.kinds.map((kind) => kind[amount]))).toBe(cents([report[amount]]))
  }
  const ofMachines = report.kinds.find(({ kind }) => kind === 'gpu-machine')
  expect(
    Math.abs(cents(report.machines.map(({ effective }) => effective)) - cents([ofMachines?.effective ?? 0])),
  ).toBeLessThanOrEqual(1)
  for (const { purchased, used, unused } of report.commitments) {
    expect(cents([used, unused])).toBe(cents([purchased]))
  }
}

const machines = Array.from({ length: 12 }, (_, index) => ({
  resource: `i-0${index}`,
  instanceType: ['p5.48xlarge', 'g5.4xlarge', 'p4d.24xlarge'][index % 3] ?? '',
  region: index % 4 === 0 ? 'eu-west-1' : 'us-east-1',
  gpus: [8, 1, 8][index % 3] ?? 1,
  spot: index % 5 === 0,
}))
const FROM = Date.UTC(2026, 6, 1)

describe('septet report over a synthetic FOCUS bill reconciles to the cent', () => {
  test('alone, as CSV: what it is for adds up to what it says, commitments are counted once', async () => {
    for (const seed of [1, 2]) {
      const bill = makeBill({ seed, machines, from: FROM, hours: 96 })
      const out = await cli('report', '--bill', written(`bill-${seed}.csv`, bill), '--format', 'json')
      const report = (JSON.parse(out) as { bill: BillReport }).bill
      reconciles(report, bill)
      const named = new Set(report.kinds.flatMap(({ kind, charges }) => (charges > 0 ? [kind] : [])))
      expect(named.size).toBe(9)
    }
  })

  test('in two parts, one of them Parquet', async () => {
    const bill = makeBill({ seed: 3, machines, from: FROM, hours: 24 })
    const [first, second] = [bill.slice(0, 100), bill.slice(100)]
    const columns = Object.keys(bill[0] ?? {})
    const parquet = join(folder, 'second.parquet')
    parquetWriteFile({
      filename: parquet,
      columnData: columns.map((name) => ({ name, data: second.map((row) => row[name] ?? ''), type: 'STRING' })),
    })
    const out = await cli('report', '--bill', written('first.csv', first), '--bill', parquet, '--format', 'json')
    const report = (JSON.parse(out) as { bill: BillReport }).bill
    reconciles(report, bill)
    expect(report.notes).toEqual([])
  })

  test('as text, for people', async () => {
    const bill = makeBill({ seed: 4, machines, from: FROM, hours: 24 })
    const out = await cli('report', '--bill', written('text.csv', bill))
    expect(out).toContain('Bill, 2026-07-01 to 2026-07-02 UTC')
    expect(out).toMatch(/Unused commitments +\d+ +0\.00 +[\d,.]+/u)
    expect(out).toMatch(/p5\.48xlarge +2026-07 +us-east-1 +on-demand/u)
  })
})

/** An OpenCost that knows every node for six hours, at $2 a GPU-hour and as much for CPU and memory. */
const openCostOf = (nodes: readonly GpuNode[], url: string): object =>
  url.startsWith('/assets')
    ? {
        code: 200,
        data: Object.fromEntries(
          nodes.map(({ name, gpus }) => [
            `a/${name}`,
            {
              type: 'Node',
              properties: { name },
              GPUHours: gpus.length * 6,
              gpuCost: gpus.length * 12,
              totalCost: gpus.length * 24,
            },
          ]),
        ),
      }
    : { code: 200, data: [{ __idle__: { gpuHours: 0, gpuCost: 1 } }] }

describe('a bill beside the cluster that it is for', () => {
  let demo: DemoProcess
  let nodes: readonly GpuNode[]
  beforeAll(async () => {
    demo = await startDemo()
    const file = join(folder, 'snapshot.json')
    await cli('plan', '--kubeconfig', demo.kubeconfigPath, '--save-snapshot', file, '--goal', 'fit')
    const read = readSnapshotFile(readFileSync(file, 'utf8'))
    if (read.kind === 'refused') throw new Error(read.errors.join(' '))
    nodes = read.snapshot.nodes
  })
  afterAll(() => demo.stop())

  test('splits what was billed for its nodes into what was seen, what was not, and other rates, to the cent', async () => {
    const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
    const bill = makeBill({
      seed: 5,
      from: to - 30 * HOUR_MS,
      hours: 32,
      commitments: false,
      machines: [
        ...nodes.slice(1).map((node) => ({
          resource: node.providerId ?? '',
          instanceType: node.room.labels['node.kubernetes.io/instance-type'] ?? '',
          region: node.room.labels['topology.kubernetes.io/region'] ?? '',
          gpus: node.gpus.length,
          spot: false,
        })),
        { resource: 'i-elsewhere', instanceType: 'p5.48xlarge', region: 'us-east-1', gpus: 8, spot: false },
      ],
    })
    const out = await cli(
      'report',
      '--kubeconfig',
      demo.kubeconfigPath,
      '--prometheus',
      demo.prometheusUrl,
      '--since',
      '24h',
      '--bill',
      written('cluster.csv', bill),
      '--format',
      'json',
    )
    const { bill: report, ...analysis } = JSON.parse(out) as ClusterAnalysis & { bill: BillReport }
    reconciles(report, bill)
    const { reconciliation: beside } = report
    expect(beside.nodes).toHaveLength(nodes.length - 1)
    expect(beside.notOnBill).toEqual([nodes[0]?.name])
    expect(beside.elsewhere.machines).toBe(1)

    const { from, to: end } = analysis.window
    const inWindow = bill.filter(
      ({ ChargeCategory, ChargeClass, ChargePeriodStart = '', ServiceName }) =>
        ChargeCategory === 'Usage' &&
        ChargeClass === '' &&
        ServiceName === 'Compute' &&
        Date.parse(ChargePeriodStart) >= from &&
        Date.parse(ChargePeriodStart) < end,
    )
    const own = inWindow.filter(({ ResourceId }) => ResourceId !== 'i-elsewhere')
    expect(cents([beside.billed.cost])).toBe(centsOf(sumOf(own, 'EffectiveCost')))
    expect(cents([beside.billed.cost, beside.elsewhere.cost])).toBe(centsOf(sumOf(inWindow, 'EffectiveCost')))
    expect(cents([beside.seen.cost, beside.unseen.cost, beside.atOtherPrice])).toBe(cents([beside.billed.cost]))
    // What was seen is what the report says of these nodes, at prices that are the bill's.
    const named = new Set(beside.nodes)
    const rows = analysis.cost.byNode.filter(({ key }) => named.has(key))
    const capacity = rows.reduce((sum, { cost }) => sum + (cost.money?.capacity ?? 0), 0)
    expect(cents([capacity])).toBe(cents([beside.seen.cost]))
    expect(Math.abs(beside.atOtherPrice)).toBeLessThanOrEqual(0.1)
    expect(beside.seen.gpuHours).toBeGreaterThan(beside.billed.gpuHours * 0.8)
  })

  test('stands beside OpenCost by its API, node by node, with the reasons for what differs', async () => {
    const server = createServer((request, response) =>
      response.end(JSON.stringify(openCostOf(nodes, request.url ?? ''))),
    )
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const opencost = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const asked = ['report', '--kubeconfig', demo.kubeconfigPath, '--prometheus', demo.prometheusUrl, '--since', '6h']
    try {
      const out = await cli(...asked, '--opencost', opencost, '--format', 'json')
      const { opencost: compared } = JSON.parse(out) as { opencost: OpenCostComparison }
      expect(compared.nodes).toHaveLength(nodes.length)
      for (const { ours, theirGpuCost, difference } of compared.nodes.filter((node) => node.difference !== undefined)) {
        const { hours = 0, host = 0, price = 0 } = difference ?? {}
        expect(cents([hours, host, price])).toBe(cents([ours.cost ?? 0, -(theirGpuCost ?? 0)]))
      }
      expect(await cli(...asked, '--opencost', opencost)).toMatch(/OpenCost gives \d+% of this machine to its GPUs/u)
    } finally {
      server.close()
    }
  })
})
