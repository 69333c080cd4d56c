import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { assembleSnapshot } from '../cluster/assemble.ts'
import {
  assemble,
  codes,
  holder,
  holdings,
  inventory,
  mixed,
  node,
  NOW,
  pod,
} from '../cluster/drawn-inventory.fixture.ts'
import type { ClusterSnapshot, Inventory } from '../cluster/inventory.ts'
import { migPartitionId } from '../cluster/node.ts'
import { instant, ratio, seconds } from '../units.ts'
import { addReading, openBucket, rowsOf } from './accumulate.ts'
import type { JudgedSample } from './sample.ts'
import type { UsageRow } from './usage.ts'

const GPU = 'nvidia.com/gpu'
const INSTANCE = 'nvidia.com/mig-1g.10gb'

/** What is so on a node: which pod has each device, and how busy each is. */
type Truth = ReadonlyArray<{ readonly pod: string | undefined; readonly busy: number }>

type Drawn = { readonly truth: Truth; readonly cut: boolean }

/** The devices as an exporter tells them that names the pods of these alone. */
const told = (truth: Truth, cut: boolean, named: readonly boolean[]): JudgedSample[] =>
  truth.map(({ pod: of, busy }, order) => ({
    at: NOW,
    node: 'a',
    gpu: cut ? `GPU-${Math.floor(order / 7)}` : `GPU-${order}`,
    index: cut ? Math.floor(order / 7) : order,
    model: 'NVIDIA A100-SXM4-80GB',
    ...(cut ? { instance: { id: String(order % 7), profile: '1g.10gb' } } : {}),
    busy: ratio(busy),
    ...(of === undefined || named[order] !== true ? {} : { holder: { ...holder(of), container: 'main' } }),
    quality: { kind: 'measured' },
  }))

function inventoryOf(truth: Truth, cut: boolean): Inventory {
  const counts = Map.groupBy(truth, ({ pod: of }) => of)
  const pods = [...counts].flatMap(([name, all]) =>
    name === undefined ? [] : pod(name, 'a', { [cut ? INSTANCE : GPU]: all.length }),
  )
  const own = cut ? mixed({ [INSTANCE]: truth.length }, truth.length / 7) : node('a', { gpuCount: truth.length })
  return inventory(
    [own],
    pods.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
}

const rowsAt = (snapshot: ClusterSnapshot, samples: readonly JudgedSample[]): readonly UsageRow[] => {
  const bucket = openBucket(NOW)
  for (const second of [0, 30]) {
    addReading(bucket, { at: instant(NOW + second * 1000), interval: seconds(30), snapshot, samples })
  }
  return rowsOf(bucket, instant(NOW + 60_000))
}

const deviceOf = (order: number, cut: boolean): string =>
  cut ? migPartitionId(`GPU-${Math.floor(order / 7)}`, String(order % 7)) : `GPU-${order}`

/** Statements about a pod that its own devices belie: a device that it does not have, a figure that is another's. */
function lies(snapshot: ClusterSnapshot, samples: readonly JudgedSample[], { truth, cut }: Drawn): string[] {
  const own = (id: string) => truth.flatMap((one, order) => (`team/${one.pod}` === id ? [{ ...one, order }] : []))
  const known = snapshot.allocations.filter(({ evidence }) => evidence !== 'guess')
  const wrong = known.filter(({ partition, pod: id }) =>
    own(id).every(({ order }) => deviceOf(order, cut) !== partition),
  )
  const rows = rowsAt(snapshot, samples).filter(({ kind, busy }) => kind === 'held' && busy !== undefined)
  const untrue = rows.filter((row) => {
    const sure = new Set<string>(known.flatMap(({ partition, pod: id }) => (id === row.pod ? partition : [])))
    const real = own(row.pod).filter(({ order }) => {
      const device = deviceOf(order, cut)
      return sure.has(row.partition) ? device === row.partition : !sure.has(device)
    })
    return real.some(({ busy }) => Math.abs(busy - (row.busy ?? NaN)) > 0.02)
  })
  return [
    ...wrong.map(({ partition, pod: id, evidence }) => `${id} is said to hold ${partition} by ${evidence}`),
    ...untrue.map(({ pod: id, partition, busy }) => `${id} on ${partition} is said to be ${busy} busy`),
    ...codes(snapshot).filter((code) => code === 'used-without-request'),
  ]
}

const drawn = record({
  cut: boolean(),
  devices: array(
    record({
      pod: constantFrom('p', 'q', 'r', 's', undefined),
      busy: constantFrom(0, 0, 0.005, 0.4, 0.9),
    }),
    { minLength: 14, maxLength: 14 },
  ),
  gpus: integer({ min: 1, max: 8 }),
  named: array(array(boolean(), { minLength: 14, maxLength: 14 }), { minLength: 1, maxLength: 3 }),
  mute: boolean(),
})

describe('who holds what where the exporter names few pods', () => {
  test('nothing is called measured of a pod that may hold another device', () => {
    let guessed = 0
    let measured = 0
    assert(
      property(drawn, ({ cut, devices, gpus, named, mute }) => {
        const truth = devices
          .slice(0, cut ? 14 : gpus)
          .map(({ pod: of, busy }) => ({ pod: of, busy: of === undefined ? 0 : busy }))
        const source = inventoryOf(truth, cut)
        let previous: ClusterSnapshot | undefined
        for (const names of mute ? [[]] : named) {
          const samples = told(truth, cut, names)
          const snapshot = assembleSnapshot({ cluster: 'c', inventory: source, samples, previous, now: NOW })
          expect(lies(snapshot, samples, { truth, cut })).toEqual([])
          guessed += snapshot.allocations.filter(({ evidence }) => evidence === 'guess').length
          measured += snapshot.allocations.length
          previous = snapshot
        }
      }),
      { numRuns: 1000 },
    )
    expect(guessed).toBeGreaterThan(500)
    expect(measured - guessed).toBeGreaterThan(500)
  })

  test('what a pod was named to hold stays its own while the exporter is silent about it', () => {
    const truth = [
      { pod: 'p', busy: 0.9 },
      { pod: 'q', busy: 0.1 },
      { pod: undefined, busy: 0 },
    ]
    const source = inventoryOf(truth, false)
    const first = assemble(source, told(truth, false, [true, true]))
    const then = assemble(source, told(truth, false, []), first)
    expect(holdings(then)).toEqual(['GPU-0 team/p label', 'GPU-1 team/q label'])
  })

  test('the only possibility is told as such, one of several as a guess', () => {
    const alone = [
      { pod: 'p', busy: 0.9 },
      { pod: 'p', busy: 0.1 },
    ]
    expect(holdings(assemble(inventoryOf(alone, false), told(alone, false, [])))).toEqual([
      'GPU-0 team/p arithmetic',
      'GPU-1 team/p arithmetic',
    ])
    const two = [
      { pod: 'p', busy: 0.9 },
      { pod: 'q', busy: 0.1 },
    ]
    const snapshot = assemble(inventoryOf(two, false), told(two, false, []))
    expect(holdings(snapshot)).toEqual(['GPU-0 team/p guess', 'GPU-1 team/q guess'])
    expect(snapshot.problems.map(({ code, object, message }) => [code, object, message])).toEqual([
      [
        'holders-inferred',
        'node/a',
        'The exporter on a does not say which pod holds which device, so how busy these pods are is unknown, and no device is partitioned on a guess. Mount /var/lib/kubelet/pod-resources into dcgm-exporter and set DCGM_EXPORTER_KUBERNETES=true, so that it names the pods.',
      ],
    ])
  })

  test('where all that it may hold are idle, a pod is idle; what is used is guessed to be held first', () => {
    const idle = [
      { pod: 'p', busy: 0 },
      { pod: undefined, busy: 0 },
    ]
    const samples = told(idle, false, [])
    const snapshot = assemble(inventoryOf(idle, false), samples)
    expect(rowsAt(snapshot, samples).map(({ kind, busy, reason }) => [kind, busy, reason])).toEqual([
      ['held', 0, undefined],
      ['free', 0, undefined],
    ])
    const busy = [
      { pod: undefined, busy: 0 },
      { pod: 'p', busy: 0.9 },
    ]
    const seen = told(busy, false, [])
    const guess = assemble(inventoryOf(busy, false), seen)
    expect(holdings(guess)).toEqual(['GPU-1 team/p guess'])
    expect(rowsAt(guess, seen).flatMap(({ kind, reason }) => (kind === 'held' ? reason : []))).toEqual([
      'holders-inferred',
    ])
  })

  test('more devices in use than pods that could use them: something uses one of them without a request', () => {
    const truth = [
      { pod: 'p', busy: 0.9 },
      { pod: undefined, busy: 0.8 },
      { pod: undefined, busy: 0 },
    ]
    const snapshot = assemble(inventoryOf(truth, false), told(truth, false, []))
    expect(snapshot.nodes[0]?.gpus.map(({ unrequestedSince }) => unrequestedSince !== undefined)).toEqual([
      true,
      true,
      false,
    ])
  })
})
