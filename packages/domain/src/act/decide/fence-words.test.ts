import { expect, test } from 'vitest'
import type { Plan } from '../../plan/words/action.ts'
import { instant } from '../../units.ts'
import type { Transition } from '../action-run.ts'
import { freeWords, holdsWords, shortfallOf, shortWords } from './keep-free-step.ts'

const KEPT = {
  kind: 'keep-free',
  nodes: [{ node: 'node-a', gpus: 8 }],
  at: instant(0),
  until: instant(3_600_000),
} as const
const STEPS = [
  { number: 1, action: { kind: 'cordon', node: 'node-a' } },
  { number: 2, action: KEPT },
  { number: 3, action: { kind: 'uncordon', node: 'node-a' } },
]
const BEGIN = [1, 'Starting the first step.'] as const
const SHORT = [
  2,
  'The appointment is short: its fence is open. node-a accepts any pod: someone uncordoned it.',
] as const

/** What an appointment lacks that has said so much at these steps. */
const lackAfter = (...said: ReadonlyArray<readonly [number, string]>): string | undefined =>
  shortfallOf({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a plan it looks at the steps alone
    plan: { steps: STEPS } as unknown as Plan,
    transitions: said.map(([step, because], index): Transition => ({
      number: index + 1,
      at: instant(index),
      state: 'applying',
      by: 'septet',
      because,
      step,
    })) as [Transition],
  })?.because

test('an appointment lacks what was said last, until it is seen to be whole', () => {
  const gap = { missing: 1, because: 'node-a has 7 of 8 free.' }
  expect(lackAfter(BEGIN)).toBeUndefined()
  expect(lackAfter(BEGIN, [2, 'node-a takes no pods.'], SHORT)).toBe(SHORT[1])
  expect(lackAfter(BEGIN, SHORT, [2, holdsWords(KEPT)])).toBeUndefined()
  expect(lackAfter(BEGIN, SHORT, [3, freeWords(KEPT)])).toBeUndefined()
  expect(lackAfter(BEGIN, SHORT, [3, shortWords(KEPT, gap)])).toBe(shortWords(KEPT, gap))
  // A step that does something says nothing of the GPUs.
  expect(lackAfter(BEGIN, [1, SHORT[1]], [2, 'node-a takes no pods.'])).toBe(SHORT[1])
})

test('what another version said is understood: that all is reserved again, in whatever words', () => {
  const whole = [2, 'The fence holds again: nothing of 8 GPUs on 1 node is missing.'] as const
  expect(lackAfter(BEGIN, SHORT, whole)).toBeUndefined()
  expect(lackAfter(BEGIN, SHORT, whole, SHORT)).toBe(SHORT[1])
})
