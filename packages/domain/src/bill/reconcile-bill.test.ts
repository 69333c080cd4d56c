import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { CostGroup } from '../cost/cost-parts.ts'
import type { BilledResource } from './bill.ts'
import { instant } from '../units.ts'
import { reconcileBill, timeNotOnBill } from './reconcile-bill.ts'

/** A row of an analysis: what it is of, GPU-hours, dollars; undefined where nothing has a price. */
const row = (key: string, hours: number, dollars: number | undefined): CostGroup =>
  ({
    key,
    cost: { hours: { capacity: hours }, money: dollars === undefined ? undefined : { capacity: dollars } },
  }) as unknown as CostGroup

const billed = (resource: string, gpuHours: number, dollars: number): BilledResource => ({
  resource,
  gpuHours,
  effective: BigInt(Math.round(dollars * 1e9)),
})

const EC2 = 'aws:///us-east-1a/i-0aaa'

const reconciled = (
  resources: readonly BilledResource[],
  byNode: readonly CostGroup[],
  nodes: Parameters<typeof reconcileBill>[0]['nodes'] = [{ name: 'a', providerId: EC2 }],
) => reconcileBill({ bill: { resources }, nodes, byNode })

describe('a bill beside what was seen', () => {
  test.each([
    ['a bare id', 'i-0aaa', EC2],
    ['an ARN', 'arn:aws:ec2:us-east-1:1:instance/i-0aaa', EC2],
    [
      'a resource of Azure, in other letters',
      '/subscriptions/S/resourceGroups/RG/providers/Microsoft.Compute/virtualMachines/NC-1',
      'azure:///subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachines/nc-1',
    ],
    ['a self link of Google', '//compute.googleapis.com/projects/p/zones/z/instances/gke-1', 'gce://p/z/gke-1'],
    ['the node’s own name', 'A', undefined],
  ])('knows a machine by %s', (_, resource, providerId) => {
    const { nodes, elsewhere } = reconciled(
      [billed(resource, 24, 100)],
      [row('a', 24, 100)],
      [providerId === undefined ? { name: 'a' } : { name: 'a', providerId }],
    )
    expect([nodes, elsewhere.machines]).toEqual([['a'], 0])
  })

  test('tells hours that nobody saw from another price for those that were', () => {
    // Billed for 24 hours at $5, of which 20 were seen and reported at $6.88.
    const found = reconciled([billed('i-0aaa', 24, 120)], [row('a', 20, 137.6)])
    expect(found).toMatchObject({
      billed: { gpuHours: 24, cost: 120 },
      seen: { gpuHours: 20, cost: 137.6 },
      unseen: { gpuHours: 4, cost: 20 },
      atOtherPrice: -37.6,
    })
  })

  test('tells of more hours than were billed as less than nothing unseen', () => {
    expect(reconciled([billed('i-0aaa', 10, 50)], [row('a', 12, 60)]).unseen).toEqual({ gpuHours: -2, cost: -10 })
  })

  test('names nodes that are not on it, and counts machines that are not nodes of the cluster', () => {
    const resources = [billed('i-0aaa', 24, 120), billed('i-0bbb', 24, 60), billed('i-0ccc', 12, 30.004)]
    const nodes = [{ name: 'a', providerId: EC2 }, { name: 'on-premises' }]
    expect(reconciled(resources, [row('a', 24, 120)], nodes)).toMatchObject({
      nodes: ['a'],
      notOnBill: ['on-premises'],
      elsewhere: { machines: 2, gpuHours: 36, cost: 90 },
    })
  })

  test('takes what a bill gives to no machine for none of the nodes, also where no cloud names them', () => {
    const found = reconciled([billed('', 24, 120)], [], [{ name: 'on-premises' }])
    expect(found).toMatchObject({ nodes: [], notOnBill: ['on-premises'], elsewhere: { cost: 120 } })
  })

  test('holds a machine that Septet never saw as unseen, all of it', () => {
    expect(reconciled([billed('i-0aaa', 24, 120)], [])).toMatchObject({
      seen: { gpuHours: 0, cost: 0 },
      unseen: { gpuHours: 24, cost: 120 },
      atOtherPrice: 0,
    })
  })

  test('in another currency is told in dollars', () => {
    const resources = [billed('i-0aaa', 20, 100), billed('i-0bbb', 1, 10)]
    const found = reconcileBill({
      bill: { resources },
      nodes: [{ name: 'a', providerId: EC2 }],
      byNode: [row('a', 20, 110)],
      usdPerUnit: 1.1,
    })
    expect([found.billed.cost, found.elsewhere.cost, found.atOtherPrice]).toEqual([110, 11, 0])
  })

  test('knows the machines of a scale set by its name, and counts what it cost once', () => {
    const set = '/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachinescalesets/aks-gpu-vmss'
    const nodes = [0, 1].map((number) => ({
      name: `n${number}`,
      providerId: `azure://${set}/virtualMachines/${number}`.replace(
        'virtualmachinescalesets',
        'virtualMachineScaleSets',
      ),
    }))
    expect(reconciled([billed(set, 48, 240)], [row('n0', 24, 120), row('n1', 20, 100)], nodes)).toMatchObject({
      nodes: ['n0', 'n1'],
      billed: { gpuHours: 48, cost: 240 },
      unseen: { gpuHours: 4, cost: 20 },
      atOtherPrice: 0,
    })
  })

  test('of nothing is nothing', () => {
    expect(reconciled([], [], [])).toMatchObject({ nodes: [], billed: { gpuHours: 0, cost: 0 }, atOtherPrice: 0 })
  })
})

// oxlint-disable-next-line no-restricted-globals -- a test reads instants as people write them
const at = (day: string) => instant(Date.parse(day))
const days = (from: string, to: string) => ({ from: at(from), to: at(to) })

describe('the time of a bill and of a cluster', () => {
  const bill = days('2026-07-01', '2026-08-01')

  test('that have nothing in common are not compared', () => {
    for (const window of [days('2026-08-01', '2026-08-08'), days('2026-05-01', '2026-07-01')]) {
      expect(timeNotOnBill(bill, window)).toMatchObject({ none: true })
    }
    expect(timeNotOnBill(bill, days('2026-11-21', '2026-11-28'))?.note).toBe(
      'The bill is for 2026-07-01 to 2026-08-01, and Septet looked at the cluster from 2026-11-21 to 2026-11-28: its machines cannot be compared. Compare a bill of the same time.',
    )
  })

  test('that have a part in common are compared, and say so', () => {
    expect(timeNotOnBill(bill, days('2026-07-30', '2026-08-06'))).toMatchObject({ none: false })
    expect(timeNotOnBill(bill, days('2026-07-02', '2026-07-09'))).toBeUndefined()
    expect(timeNotOnBill(undefined, days('2026-07-02', '2026-07-09'))).toBeUndefined()
  })
})

const cents = (amount: number): number => Math.round(amount * 100)
const CENTS = fc.integer({ min: 0, max: 10_000_000 }).map((whole) => whole / 100)
const HOURS = fc.integer({ min: 0, max: 8 * 744 })

test('what was billed is what was seen, what was not, and the difference of price, to the cent', () => {
  const machines = fc.array(
    fc.record({
      billed: fc.option(fc.tuple(HOURS, CENTS), { nil: undefined }),
      seen: fc.option(fc.tuple(HOURS, fc.option(CENTS, { nil: undefined })), { nil: undefined }),
      isNode: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(machines, (drawn) => {
      const resources = drawn.flatMap(({ billed: own }, order) => (own ? [billed(`i-${order}`, ...own)] : []))
      const byNode = drawn.flatMap(({ seen }, order) => (seen ? [row(`n${order}`, ...seen)] : []))
      const nodes = drawn.flatMap(({ isNode }, order) =>
        isNode ? [{ name: `n${order}`, providerId: `aws:///z/i-${order}` }] : [],
      )
      const found = reconciled(resources, byNode, nodes)
      expect(cents(found.billed.cost)).toBe(
        cents(found.seen.cost) + cents(found.unseen.cost) + cents(found.atOtherPrice),
      )
      expect(found.billed.gpuHours).toBe(found.seen.gpuHours + found.unseen.gpuHours)
      const all = drawn.reduce((sum, { billed: own }) => sum + (own?.[1] ?? 0), 0)
      expect(cents(found.billed.cost + found.elsewhere.cost)).toBe(cents(all))
      expect([...found.nodes, ...found.notOnBill].toSorted()).toEqual(nodes.map(({ name }) => name).toSorted())
    }),
  )
})
