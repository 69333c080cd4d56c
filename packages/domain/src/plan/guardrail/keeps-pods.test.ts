import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { openFleet } from '../../fleet/fleet.ts'
import type { Action } from '../words/action.ts'
import { CAREFUL_POLICY } from '../words/plan-policy.ts'
import { judgePlan } from './guardrails.ts'
import { coversName } from './keeps-pods.ts'

const state = openFleet(draw`
  a  T4  [lab/one]
  a  T4  [web/two]
  ?  lab/waits  gpu`)
const evict = (pod: string): Action => ({
  kind: 'evict',
  pod,
  uid: pod,
  workload: pod.replace('/', '/Pod/'),
  because: '',
})
const OPEN = { ...CAREFUL_POLICY, maxDisplaced: 100, mayWait: true }
const verdict = (action: Action, ...protectedNamespaces: readonly string[]) =>
  judgePlan(action, state, { ...OPEN, protectedNamespaces })

describe('pods of protected namespaces', () => {
  test('stay where they are, and the reason says how to allow it', () => {
    expect(verdict(evict('lab/one'), 'lab')).toEqual({
      kind: 'refuse',
      code: 'protected-namespace',
      because:
        'lab/one is in the namespace lab, which is protected in Settings → Policies. Leave it, or remove the namespace from that list.',
    })
    expect(verdict(evict('web/two'), 'lab')).toEqual({ kind: 'allow' })
    expect(verdict(evict('lab/one'))).toEqual({ kind: 'allow' })
    expect(judgePlan(evict('lab/one'), state, OPEN)).toEqual({ kind: 'allow' })
  })
  test('are protected from everything that stops them, and from nothing else', () => {
    const gpus = [{ resource: 'nvidia.com/gpu', count: 1 }]
    expect(verdict({ kind: 'scale', workload: 'lab/Pod/one', from: 1, to: 0 }, 'lab').kind).toBe('refuse')
    expect(verdict({ kind: 'resize', workload: 'lab/Pod/one', from: gpus, to: gpus }, 'lab').kind).toBe('refuse')
    expect(verdict({ kind: 'resize', workload: 'lab/Pod/waits', from: gpus, to: gpus }, 'lab').kind).toBe('allow')
    expect(verdict({ kind: 'cordon', node: 'a' }, 'lab').kind).toBe('allow')
  })
  test.for<[string, string, boolean]>([
    ['team-*', 'team-red', true],
    ['team-*', 'team-', true],
    ['team-*', 'steam-red', false],
    ['team', 'team-red', false],
    ['team', 'team', true],
    ['*', 'anything', true],
    ['', 'anything', false],
  ])('the pattern %j and the namespace %j: %s', ([pattern, namespace, covers]) => {
    expect(coversName(pattern, namespace)).toBe(covers)
  })
})

describe('a workload that is made smaller', () => {
  const service = draw`
    a  T4  [lab/chat-1]
    a  T4  [lab/chat-2]
    a  T4  [lab/chat-3]`
  const pods = service.pods.map((pod) => ({ ...pod, workload: 'lab/Deployment/chat' as const }))
  const workload = {
    ...service.workloads[0],
    id: 'lab/Deployment/chat',
    kind: 'Deployment',
    pods: pods.map(({ id }) => id),
  }
  const to = (replicas: number, of: Partial<typeof service>) => {
    const fleet = openFleet({ ...service, pods, workloads: [workload], ...of } as typeof service)
    const judged = judgePlan({ kind: 'scale', workload: 'lab/Deployment/chat', from: 3, to: replicas }, fleet, OPEN)
    return judged.kind === 'allow' ? judged.kind : judged.code
  }
  const floor = (count: number) => ({
    budgets: [{ id: 'lab/chat', pods: pods.map(({ id }) => id), allowed: 3 - count, floor: count }],
  })

  test('keeps the pods that its disruption budget asks for; what is stopped needs none', () => {
    expect(to(1, floor(2))).toBe('budget-floor')
    expect(to(2, floor(2))).toBe('allow')
    expect(to(0, floor(2))).toBe('allow')
    expect(to(1, { budgets: [{ id: 'lab/chat', pods: ['lab/chat-1'], allowed: 1 }] })).toBe('allow')
  })

  test('keeps its number where any of its pods must not be disrupted: which ones go is its controller’s choice', () => {
    const [first, ...rest] = pods
    const fixed = first && { ...first, scheduling: { ...first.scheduling, evictable: false } }
    expect(to(2, { pods: [...(fixed ? [fixed] : []), ...rest] })).toBe('do-not-disrupt')
  })
})
