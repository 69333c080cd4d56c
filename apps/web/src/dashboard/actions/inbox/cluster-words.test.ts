import { expect, test } from 'vitest'

import type { ActionDetail } from '../../acting/action-words.ts'
import { clusterWords } from './Standing.tsx'

const step = (number: number, state: ActionDetail['steps'][number]['state']) => ({
  number,
  state,
  title: `Step ${number}`,
  undo: [`Back ${number}`],
})

const detail = (parts: {
  state: string
  steps: unknown[]
  writes?: number
  backTo?: number
  stopped?: string[]
}): ActionDetail => {
  const { state, steps, writes = 1, backTo, stopped = [] } = parts
  const transitions = backTo === undefined ? [] : [{ state: 'reverting', step: backTo }]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what the words are made of
  return {
    action: { state },
    undo: { stopped },
    steps,
    transitions,
    writes: Array.from({ length: writes }),
  } as unknown as ActionDetail
}

test('what failed before anything was written has changed nothing', () => {
  const words = clusterWords(detail({ state: 'failed', steps: [step(1, 'not-done')], writes: 0 }))
  expect(words?.state).toBe('Nothing was changed.')
  expect(words?.needsSomebody).toBe(false)
})

test('a way back that broke off leaves the steps up to there, and says how each is taken back by hand, the last first', () => {
  const steps = [step(1, 'done'), step(2, 'done'), step(3, 'taken-back'), step(4, 'not-done')]
  const words = clusterWords(detail({ state: 'failed', steps, backTo: 2 }))
  expect(words).toMatchObject({
    state: 'The cluster is partly changed: steps 1 and 2 are still in place.',
    byHand: ['Back 2', 'Back 1'],
    needsSomebody: true,
  })
})

test('one that broke off at its first step never says that nothing was changed', () => {
  const words = clusterWords(detail({ state: 'failed', steps: [step(1, 'taken-back')], backTo: 1 }))
  expect(words?.state).toBe('The cluster is partly changed: step 1 is still in place.')
})

test('an undo that evicted pods never says that no action is needed', () => {
  const undone = detail({ state: 'reverted', steps: [step(1, 'taken-back')], stopped: ['team/a', 'team/b'] })
  expect(clusterWords(undone)?.state).toContain('2 pods were stopped')
  expect(clusterWords(undone)?.todo).toMatch(/check that they run/u)
  expect(clusterWords(detail({ state: 'reverted', steps: [step(1, 'taken-back')] }))?.todo).toBe('No action is needed.')
})

test('what was kept, or goes its way, needs no words about the cluster', () => {
  for (const state of ['proposed', 'applying', 'verified', 'kept']) {
    expect(clusterWords(detail({ state, steps: [step(1, 'done')] }))).toBeUndefined()
  }
})
