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
