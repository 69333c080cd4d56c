import { describe, expect, test } from 'vitest'

import { counted } from '../start/asked.fixture.ts'
import { draw } from '../../cluster/draw.fixture.ts'
import type { Cohort, Quota, QuotaFlavor } from '../../cluster/scheduling.ts'
import { cohortRoom } from './cohort-room.ts'
import { limitHints, tightQuotas } from './tight-quotas.ts'

type Told = Partial<Pick<QuotaFlavor, 'borrowing' | 'lending'>> & { readonly cohort?: string }

const queue = (
  name: string,
  [nominal, used]: readonly [nominal: number, used: number],
  { cohort = 'team', ...limits }: Told = {},
): Quota => ({
  id: `clusterqueue/${name}/nvidia.com/gpu`,
  namespace: '',
  queue: name,
  cohort,
  resource: 'nvidia.com/gpu',
  hard: nominal,
  used,
  flavors: [
    {
      name: 'h100',
      path: '/spec/resourceGroups/0/flavors/0',
      resourcePath: '/resources/0',
      nominal: String(nominal),
      amount: nominal,
      used,
      ...limits,
    },
  ],
})
const room = (own: Quota, ...others: readonly Quota[]) => cohortRoom(own, { quotas: [own, ...others] }).available

describe('what a cluster queue may use beyond what it uses', () => {
  test('is its own quota where it is in no cohort, and what others of the cohort leave where it is', () => {
    const { cohort: _, ...alone } = queue('a', [4, 3])
    expect(room(alone, queue('b', [8, 0]))).toBe(1)
    expect(room(queue('a', [4, 3]), queue('b', [8, 2]))).toBe(7)
    expect(room(queue('a', [4, 3]), queue('b', [8, 2], { cohort: 'other' }))).toBe(1)
    expect(room(queue('a', [4, 6]), queue('b', [8, 2]))).toBe(4)
  })

  test('is no more than it may borrow, and than the others lend', () => {
    expect(room(queue('a', [4, 3], { borrowing: '2' }), queue('b', [8, 2]))).toBe(3)
    expect(room(queue('a', [4, 3], { borrowing: '0' }), queue('b', [8, 2]))).toBe(1)
    expect(room(queue('a', [4, 3]), queue('b', [8, 0], { lending: 3 }))).toBe(4)
    // What b keeps for itself is used first, so all three are still there to borrow.
    expect(room(queue('a', [4, 3]), queue('b', [8, 5], { lending: 3 }))).toBe(4)
    expect(room(queue('a', [4, 3]), queue('b', [8, 7], { lending: 3 }))).toBe(2)
  })

  test('is less by what others have borrowed', () => {
    expect(room(queue('a', [4, 3]), queue('b', [8, 0]), queue('c', [0, 6]))).toBe(3)
    expect(room(queue('a', [4, 0]), queue('b', [0, 4]))).toBe(0)
  })
})

const cohort = (name: string, parent: string | undefined, own?: Partial<QuotaFlavor>): Cohort => ({
  name,
  ...(parent === undefined ? {} : { parent }),
  quotas: own === undefined ? [] : [{ resource: 'nvidia.com/gpu', flavors: [{ name: 'h100', ...own }] }],
})
const roomOf = (cohorts: readonly Cohort[], own: Quota, ...others: readonly Quota[]) =>
  cohortRoom(own, { quotas: [own, ...others], cohorts }).available

describe('cohorts under cohorts', () => {
  const a = queue('a', [4, 3], { cohort: 'left' })
  const b = queue('b', [8, 2], { cohort: 'right' })

  test('lend one another what they do not use, where they have one parent', () => {
    expect(roomOf([cohort('left', 'root'), cohort('right', 'root')], a, b)).toBe(7)
    expect(roomOf([cohort('left', 'root'), cohort('right', 'other')], a, b)).toBe(1)
    expect(roomOf([cohort('left', 'middle'), cohort('middle', 'root'), cohort('right', 'root')], a, b)).toBe(7)
  })

  test('have quota of their own, which counts once', () => {
    expect(roomOf([cohort('left', undefined, { amount: 5 })], a)).toBe(6)
    expect(roomOf([cohort('left', 'root'), cohort('root', undefined, { amount: 5 })], a, b)).toBe(6)
    expect(roomOf([cohort('left', undefined, { amount: 5 })], a, queue('c', [0, 4], { cohort: 'left' }))).toBe(2)
  })

  test('borrow no more than their limit, and lend no more than theirs', () => {
    expect(roomOf([cohort('left', 'root', { amount: 0, borrowing: '2' }), cohort('right', 'root')], a, b)).toBe(3)
    expect(roomOf([cohort('left', 'root'), cohort('right', 'root', { amount: 0, lending: 3 })], a, b)).toBe(4)
  })

  test('of another flavor are of no use, and a circle of them ends', () => {
    const other = {
      ...cohort('left', undefined),
      quotas: [{ resource: 'nvidia.com/gpu', flavors: [{ name: 't4', amount: 5 }] }],
    }
    expect(roomOf([other], a)).toBe(1)
    expect(roomOf([cohort('left', 'right'), cohort('right', 'left')], a, b)).toBeGreaterThanOrEqual(1)
  })
})

const nodes = counted(draw`
  node-a  T4  [-]
  node-a  T4  [-]
  node-a  T4  [-]
  node-a  T4  [-]
  ?  lab/waits  gpu`)
const [found] = nodes.workloads
if (found === undefined) throw new Error('nobody waits')
const workload = { ...found, queue: 'a', requests: [{ resource: 'nvidia.com/gpu', count: 3 }] }
const hints = (...quotas: readonly Quota[]) =>
  limitHints({ ...nodes, quotas }, workload).map(({ sentence, patch }) => ({
    sentence,
    patch: patch?.text.split('\n').filter((line) => !line.startsWith('#')),
  }))

describe('the smallest change that lets work in', () => {
  test('is none where its queue may borrow enough', () => {
    expect(tightQuotas({ quotas: [queue('a', [4, 4]), queue('b', [8, 0])] }, workload)).toEqual([])
  })

  test('is a borrowing limit where the cohort has enough and the queue may not take it', () => {
    const [hint] = hints(queue('a', [4, 4], { borrowing: '1' }), queue('b', [8, 0]))
    expect(hint?.sentence).toContain('may borrow 1 more from the cohort team')
    expect(hint?.patch?.slice(-4)).toEqual([
      '- op: replace',
      '  path: /spec/resourceGroups/0/flavors/0/resources/0/borrowingLimit',
      '  value: "3"',
      '',
    ])
  })

  test('is a quota that is larger by what the cohort lacks', () => {
    const [hint] = hints(queue('a', [4, 4]), queue('b', [8, 7]))
    expect(hint?.patch?.slice(-3)).toEqual([
      '  path: /spec/resourceGroups/0/flavors/0/resources/0/nominalQuota',
      '  value: "6"',
      '',
    ])
  })
})
