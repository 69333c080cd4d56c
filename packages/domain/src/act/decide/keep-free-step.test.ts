import { describe, expect, test } from 'vitest'

import type { KeepFree } from '../../plan/words/action.ts'
import { HOUR_MS, instant } from '../../units.ts'
import { context, decided, type LiveCluster } from './decide.fixture.ts'
import { decideStep } from './decide-step.ts'
import type { StepContext } from './decision.ts'
import { gapWords, holdsWords, takenWords } from './keep-free-step.ts'

const AT = instant(10 * HOUR_MS)
const KEPT: KeepFree = {
  kind: 'keep-free',
  nodes: [{ node: 'a', gpus: 8 }],
  at: AT,
  until: instant(12 * HOUR_MS),
}

const closed = (gpus: number) => ({
  spec: { unschedulable: true },
  status: { allocatable: { 'nvidia.com/gpu': String(gpus) }, conditions: [{ type: 'Ready', status: 'True' }] },
})
const FREE: LiveCluster = { nodes: [closed(8)] }
const TAKEN: LiveCluster = {
  nodes: [closed(8)],
  pods: [
    {
      metadata: { namespace: 'lab', name: 'train', creationTimestamp: '2026-11-01T00:00:00Z' },
      spec: { containers: [{ resources: { limits: { 'nvidia.com/gpu': '2' } } }] },
    },
  ],
}

const keep = (cluster: LiveCluster, more: Partial<StepContext>) => decided(decideStep(KEPT, context(more)), cluster)

describe('GPUs that an appointment keeps', () => {
  test('are free', () => {
    expect(keep(FREE, { now: AT })).toEqual({
      kind: 'done',
      because: '8 GPUs on 1 node are free for the appointment.',
    })
  })

  test('are waited for until its instant, however long that is, with who is in the way', () => {
    expect(keep(TAKEN, { now: instant(AT - 1) })).toEqual({
      kind: 'wait',
      because:
        'The appointment is short: 6 of 8 GPUs on 1 node are free. a has 6 of 8 free: lab/train holds GPUs there.',
      atMostMs: Infinity,
    })
  })

  test('that are not free at its instant leave the fence closed, and a person decides', () => {
    expect(keep(TAKEN, { now: AT })).toEqual({
      kind: 'done',
      because:
        'The appointment is short: 6 of 8 GPUs on 1 node are free. a has 6 of 8 free: lab/train holds GPUs there. The nodes stay closed to others: evict the blocking pods by hand, or undo the appointment.',
    })
  })

  test('are not looked at by a rehearsal, days before', () => {
    expect(keep(TAKEN, { isRehearsal: true })).toEqual({
      kind: 'done',
      because: 'What it keeps is looked at when it is time.',
    })
  })
})

test.each([
  [gapWords(KEPT, { missing: 0, because: 'a accepts any pod.' }), 'they are no longer reserved. a accepts any pod.'],
  [gapWords(KEPT, { missing: 1, because: 'a is broken.' }), '1 GPU is lost. a is broken.'],
  [gapWords({ ...KEPT, profile: '3g.40gb' }, { missing: 2, because: 'b.' }), '2 × 3g.40gb are lost. b.'],
  [takenWords(KEPT, { missing: 3, because: 'lab/x holds them.' }), '3 GPUs are taken. lab/x holds them.'],
])('%#: what is missing is told with how many and why', (said, words) =>
  expect(said).toBe(`The appointment is short: ${words}`),
)

test('that nothing is missing any more is told of all nodes together', () => {
  const nodes = ['a', 'b'].map((node) => ({ node, gpus: 4 }))
  expect(holdsWords({ ...KEPT, nodes })).toBe('The GPUs are reserved again: nothing of 8 GPUs on 2 nodes is missing.')
})
