import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { beginState } from '../state/plan-state.ts'
import { wordsFor } from './step-words.ts'

const state = beginState(draw`node-a A100-SXM4-40GB [3g.20gb web]`)

test.each([
  [0, 'Scale lab/web from 2 to 0 pods', 'lab/web stops and its GPUs are free.'],
  [1, 'Scale lab/web from 2 to 1 pod', 'lab/web runs with 1 pod; its controller chooses which go.'],
])('a workload that keeps %d of its pods', (to, title, effect) =>
  expect(wordsFor({ kind: 'scale', workload: 'lab/web', from: 2, to }, state)).toEqual({ title, effect }),
)
