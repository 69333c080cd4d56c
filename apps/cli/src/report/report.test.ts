import {
  analyzeCluster,
  assembleSnapshot,
  instant,
  shippedPrices,
  sumUsage,
  UNKNOWN_ROOM,
  type UsageTotal,
  waitsOfSnapshot,
} from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '@septet/domain/testing'
import { openProgress } from '../progress.ts'
import { formatCsv } from './format-csv.ts'
import { formatText } from './format-text.ts'
import { UsageError } from '../options/command-options.ts'
import { readReportOptions } from './report-options.ts'
import { textTable } from './table.ts'

const options = (...args: string[]) => readReportOptions(args, { KUBECONFIG: '/kube' })

describe('options of septet report', () => {
  test('defaults: KUBECONFIG, seven days, text, no engine', () => {
    expect(options()).toEqual({
      kubeconfig: '/kube',
      context: undefined,
      prometheusUrl: undefined,
      sinceSeconds: 604_800,
      format: 'text',
      bill: [],
      rate: undefined,
      opencost: undefined,
    })
  })
  test.each([
    ['5m', 300],
    ['6h', 21_600],
    ['30d', 2_592_000],
    ['2w', 1_209_600],
  ])('--since %s is %d seconds', (since, seconds) => {
    expect(options('--since', since).sinceSeconds).toBe(seconds)
  })
  test.each([
    [['--since', 'yesterday'], '--since is "yesterday" but must be'],
    [['--since', '4m'], '--since is "4m"'],
    [['--format', 'pdf'], 'must be one of text, json, csv'],
    [['--prometheus', 'localhost:9090'], 'must be an http:// or https:// URL'],
    [['--colour'], '--colour'],
    [['extra'], 'extra'],
  ])('%j is refused in words', (args, words) => {
    expect(() => options(...args)).toThrow(UsageError)
    expect(() => options(...args)).toThrow(words)
  })
  test('without any kubeconfig it says what to name', () => {
    expect(() => readReportOptions([], {})).toThrow('--kubeconfig')
  })
})

describe('a report without any usage', () => {
  const now = instant(3_600_000)
  const node = {
    name: 'a',
    pool: '',
    ready: true,
    schedulable: true,
    createdAt: now,
    product: 'Tesla-T4',
    mig: { strategy: 'none', config: undefined, state: undefined },
    sharing: { kind: 'none' },
    allocatable: { 'nvidia.com/gpu': 1 },
    room: UNKNOWN_ROOM,
    gpuCount: 1,
    reportedProfiles: undefined,
    devices: [],
    problems: [],
  } as const
  const nothing = { pods: [], workloads: [], queues: [], budgets: [], quotas: [], problems: [] }
  const inventory = { takenAt: now, serverVersion: 'v1.34.1', nodes: [node], ...nothing }
  const analysis = analyzeCluster({
    snapshot: assembleSnapshot({ cluster: 'c', inventory, samples: [], now }),
    totals: { parts: [], trend: [], trendSpan: '5m' },
    prices: shippedPrices,
    window: { from: instant(0), to: now },
  })
  test('as text says what to do, and shows neither 0 hours nor $0', () => {
    const text = formatText(analysis)
    expect(text).toContain('--prometheus')
    expect(text).toMatch(/^GPUs +1 ready of 1, on 1 node$/mu)
    expect(text).not.toMatch(/\$0\.00|\b0\.0 |not measured of/u)
  })
  test('as CSV leaves the cells empty', () => {
    const [head = '', fleet = '', ...rest] = formatCsv(analysis).trimEnd().split('\r\n')
    expect(fleet).toBe(`fleet${','.repeat(head.split(',').length - 1)}`)
    expect(rest).toEqual([])
  })
})

const held = (namespace: string, measured: number, busy: number): UsageTotal => ({
  key: { kind: 'held', namespace, workload: `${namespace}/Job/x`, model: 'T4-16GB', pool: '', node: 'a', at: '0' },
  ...sumUsage([]),
  gpuSeconds: 7200,
  measuredGpuSeconds: measured,
  busyGpuSeconds: busy,
})

test('groups are as busy as what was measured of them, with how much that is, and not 0 where nothing was', () => {
  const window = { from: instant(0), to: instant(7_200_000) }
  const parts = [held('calm', 4800, 883.2), held('dark', 0, 0)]
  const analysis = analyzeCluster({
    snapshot: draw`a  T4-16GB  [calm/x]`,
    totals: { parts, trend: parts, trendSpan: '1d' },
    prices: shippedPrices,
    window,
  })
  const [head = '', ...rows] = formatCsv(analysis).trimEnd().split('\r\n')
  const cells = (row: string | undefined) =>
    ['key', 'busy_of_held', 'coverage', 'unmeasured_share'].map(
      (name) => row?.split(',')[head.split(',').indexOf(name)],
    )
  const [calm, dark] = ['calm', 'dark'].map((name) => cells(rows.find((row) => row.startsWith(`namespace,${name},`))))
  expect(calm).toEqual(['calm', ...[883.2 / 4800, 4800 / 7200, 1 - 4800 / 7200].map(String)])
  expect(dark).toEqual(['dark', '', '0', '1'])
  const text = formatText(analysis)
  expect(text).toMatch(/^calm +2\.0 +18\.4% +66\.7% /mu)
  expect(text).toMatch(/^dark +2\.0 +not measured +0\.0% /mu)
})

test('what waits is told by cause with the change that ends it, and adds up', () => {
  const now = instant(DRAWN_AT + 7_200_000)
  const drawn = draw`
    a  H100-80GB-HBM3  [lab/x]
    ?  lab/train  gpu
    ?  lab/odd    gpu.shared`
  const refused = {
    waiting: { reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient nvidia.com/gpu.' },
    refusedAt: instant(DRAWN_AT + 1_800_000),
  }
  const pods = drawn.pods.map((pod) => (pod.node === undefined ? { ...pod, ...refused } : pod))
  const snapshot = { ...drawn, pods, takenAt: now }
  const window = { from: DRAWN_AT, to: now }
  const analysis = analyzeCluster({
    snapshot,
    totals: { parts: [], trend: [], trendSpan: '5m' },
    prices: shippedPrices,
    window,
  })
  const text = formatText(analysis, waitsOfSnapshot(snapshot, { window, prices: shippedPrices }))
  expect(text).toMatch(/^All GPUs held +3 h +1\.5 +\$\d+\.\d\d +Add one node like a \(1 × H100-80GB-HBM3\)\.$/mu)
  expect(text).toMatch(/^Not watched +1 h +0\.5 /mu)
  expect(text).toContain('In total: 4 h from creation to binding, 2.0 GPU-h.')
})

test('a progress bar is drawn on a terminal and never in a pipe', () => {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  openProgress({ write }).step(1, 2, 'reading')
  expect(written).toEqual([])
  openProgress({ isTTY: true, write }).step(1, 2, 'reading')
  expect(written.join('')).toContain('50%  reading')
})

test('a table is as wide as its widest texts, numbers to the right', () => {
  const lines = textTable(
    [
      ['a', '1.0'],
      ['longer', '1,234.5'],
    ],
    [
      { title: 'Name', text: ([name = '']) => name },
      { title: 'GPU-h', text: ([, hours = '']) => hours, right: true },
    ],
  )
  expect(lines).toEqual(['Name      GPU-h', '──────  ───────', 'a           1.0', 'longer  1,234.5'])
})
