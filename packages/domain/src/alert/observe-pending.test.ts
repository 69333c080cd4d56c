import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '../cluster/draw.fixture.ts'
import type { Workload } from '../cluster/workload.ts'
import { instant, MINUTE_MS } from '../units.ts'
import { evidence } from './drawn-evidence.fixture.ts'
import type { AlertEvidence } from './observation.ts'
import { observe } from './observe.ts'

const FREE = draw`
  a  A100-SXM4-80GB  [3g.40gb -] [4g.40gb -]
  b  T4              [-]
  ?  lab/x           gpu
  ?  lab/y           gpu`

/** What is said of two workloads that wait for so long, changed as said. */
function waiting(change: (workload: Workload) => Partial<Workload>, more: Partial<AlertEvidence> = {}, minutes = 60) {
  const workloads = FREE.workloads.map((each) => ({ ...each, ...change(each) }))
  const at = instant(DRAWN_AT + minutes * MINUTE_MS)
  const picture = { ...FREE, workloads }
  return observe(evidence({ picture, now: at, asOf: at, ...more }), 'pending-with-free')
}
const asking = (...resources: readonly (readonly [string, number])[]) =>
  waiting(() => ({ requests: resources.map(([resource, count]) => ({ resource, count })) })).observations

const saidAfter = (minutes: number): string => waiting(() => ({}), {}, minutes).observations[0]?.message ?? ''
const labeled = ({ name }: Workload): Partial<Workload> => (name === 'x' ? { labels: { team: 'vision' } } : {})

describe('work that waits although enough is free', () => {
  test('is told with how long it has waited, in hours from two hours on', () => {
    expect(saidAfter(119)).toContain('Pod x (1 × nvidia.com/gpu) for 119 min')
    expect(saidAfter(150)).toContain('Pod x (1 × nvidia.com/gpu) for 2.5 h')
  })

  test.each([
    [{ reason: 'Unschedulable', message: 'it said so' }, 'Scheduler message for the longest wait: it said so'],
    [{ reason: 'QuotaReserved', message: '' }, 'Scheduler message for the longest wait: QuotaReserved'],
    [undefined, 'Scheduler message for the longest wait: none yet.'],
    [{ reason: '', message: '' }, 'Scheduler message for the longest wait: none yet.'],
  ])('in whatever words it was told to wait: %j', (told, words) => {
    expect(waiting(() => ({ waiting: told })).observations[0]?.message).toMatch(new RegExp(`\\. ${words}$`, 'u'))
  })

  test('needs all that it asks for to be free, not a part of it', () => {
    const both = [
      ['nvidia.com/gpu', 1],
      ['nvidia.com/mig-3g.40gb', 2],
    ] as const
    expect(asking(...both)).toMatchObject([{ object: 'waiting/lab/gpu+mig-3g.40gb', verdict: 'breach' }])
    expect(asking(['nvidia.com/gpu', 1], ['nvidia.com/mig-3g.40gb', 3])).toMatchObject([{ verdict: 'clear' }])
  })

  test('is not told of what is no GPU of ours, nor of a part of such a request', () => {
    expect(asking(['amd.com/gpu', 1])).toEqual([])
    expect(asking(['nvidia.com/gpu', 1], ['amd.com/gpu', 1])).toEqual([])
    expect(asking(['nvidia.com/mig-odd', 1])).toEqual([])
    expect(asking()).toEqual([])
  })

  test('is not told of work that runs, and ends for it once it does', () => {
    expect(waiting(() => ({ status: 'running' }))).toEqual({ observations: [], complete: true })
  })

  test('has not waited for less than nothing where clocks differ', () => {
    expect(waiting(() => ({ createdAt: instant(DRAWN_AT + 5 * MINUTE_MS) }), {}, 1).observations).toMatchObject([
      { verdict: 'clear', figure: { value: 0 } },
    ])
  })

  test('is told apart by tenant where labels in one namespace decide about it', () => {
    const tenants = [
      { name: 'vision', namespaces: [], labels: { team: 'vision' } },
      { name: 'research', namespaces: ['lab'], labels: {} },
    ]
    const seen = waiting(labeled, { tenants }).observations
    expect(seen.map(({ object, tenant }) => [object, tenant])).toEqual([
      ['waiting/lab/gpu/vision', 'vision'],
      ['waiting/lab/gpu', 'research'],
    ])
  })
})
