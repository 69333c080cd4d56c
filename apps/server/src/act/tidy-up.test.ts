import { DAY_MS, makePlan, SHOWN_POLICY, stateOf, type RunState } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { actionRun, transition } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { mayBeUntidy } from './tidy-up.ts'

test('a warning may be there as soon as it may have been written, and for a day after the end', () => {
  const drawn = draw`a T4 [lab/x]`
  const workload = 'lab/Deployment/x'
  const snapshot = {
    ...drawn,
    pods: drawn.pods.map((pod) => ({ ...pod, workload })),
    workloads: drawn.workloads.map((each) => ({ ...each, id: workload, kind: 'Deployment' })),
    allocations: drawn.allocations.map((each) => ({ ...each, workload })),
  }
  const wishes = [{ kind: 'scale', workload, to: 0 }] as const
  const plan = makePlan({ snapshot, wishes, title: 'Stop it', policy: SHOWN_POLICY })
  const ended = (...states: RunState[]) => {
    const [first = transition(1, 'proposed'), ...rest] = ['proposed' as const, ...states].map((state, index) =>
      transition(index + 1, state),
    )
    return actionRun('stop', { plan, transitions: [first, ...rest] })
  }
  const untidy = (...states: RunState[]) => mayBeUntidy(ended(...states), stateOf(ended(...states)).at)
  expect(untidy('approved', 'checked', 'cancelled')).toBe(false)
  // Whoever acts may die between the warning and the word for it.
  expect(untidy('approved', 'checked', 'rehearsed', 'cancelled')).toBe(true)
  expect(untidy('approved', 'checked', 'rehearsed', 'warned', 'cancelled')).toBe(true)
  const over = ended('approved', 'checked', 'rehearsed', 'warned', 'cancelled')
  expect(mayBeUntidy(over, stateOf(over).at + DAY_MS)).toBe(false)
})
