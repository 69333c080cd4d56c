import { describe, expect, test } from 'vitest'

import { AS_TODAY, BEST_FIT, PLACINGS } from './placings.ts'
import { decisionOf, reasonsOf, type Compared } from './scenario-words.ts'
import type { ScenarioOutcome, ScenarioSource } from './scenario.ts'

const DAY = 86_400_000
const week = { kind: 'week', from: 0, to: 7 * DAY } as ScenarioSource
const now = { kind: 'now', from: 0, to: 3_600_000 } as ScenarioSource

const outcome = (needed: number | null, costNeeded: number | null = null, impossible = 0) =>
  ({
    gpus: 200,
    costPerMonth: needed === 192 ? 617_001 : null,
    needed,
    costNeeded,
    runnable: 9,
    impossible,
  }) as ScenarioOutcome
const compared = (
  today: readonly [number | null, number | null],
  septet: readonly [number | null, number | null],
  more: Partial<Compared> = {},
): Compared => ({
  today: outcome(...today),
  bestFit: outcome(192),
  septet: outcome(...septet),
  bound: { gpus: 185, cost: null },
  rules: [],
  ...more,
})

describe('the sentence that decides', () => {
  test.each<{ it: string; of: ScenarioSource; found: Compared; words: string }>([
    {
      it: 'says how many GPUs and dollars Septet saves',
      of: week,
      found: compared([203, 700_000], [190, 661_000]),
      words: 'Septet’s layout would have held last week on 190 GPUs; today’s needed 203: $39K a month less.',
    },
    {
      it: 'names GPUs where a price is missing',
      of: week,
      found: compared([203, null], [190, null]),
      words: 'Septet’s layout would have held last week on 190 GPUs; today’s needed 203: 13 fewer.',
    },
    {
      it: 'does not hide that fewer GPUs may be dearer, or cost the same',
      of: week,
      found: compared([203, 600_000], [190, 602_000]),
      words:
        'Septet’s layout would have held last week on 190 GPUs; today’s needed 203: 13 fewer, but $2,000 a month more.',
    },
    {
      it: 'keeps what is as good',
      of: week,
      found: compared([190, 600_000], [190, 600_000]),
      words: 'Keep today’s layout: it held last week on 190 GPUs, and Septet needs as many.',
    },
    {
      it: 'says where today’s layout never holds the work',
      of: week,
      found: compared([null, null], [190, 600_000]),
      words: 'Septet’s layout would have held last week on 190 GPUs; today’s can’t, on up to eight times this fleet.',
    },
    {
      it: 'compares nothing where nothing was to replay',
      of: week,
      found: compared([0, 0], [0, 0], { septet: { ...outcome(0), runnable: 0 } }),
      words: 'Nothing to compare: there is no work to replay that fits this fleet.',
    },
    {
      it: 'is about this moment where no time is replayed',
      of: now,
      found: compared([2, 300], [1, 100]),
      words: 'Septet’s layout would hold what runs and waits now on 1 GPU; today’s needs 2: $200 a month less.',
    },
    {
      it: 'names the days where less than a week is stored',
      of: { ...week, to: 3 * DAY },
      found: compared([2, null], [1, null]),
      words: 'Septet’s layout would have held the last 3 days on 1 GPU; today’s needed 2: 1 fewer.',
    },
  ])('$it', ({ of, found, words }) => expect(decisionOf(of, found)).toBe(words))
})

describe('what stands behind it', () => {
  test('is best fit, the bound where there is one, the rules that were picked, and the pods that are left out', () => {
    const rules = [
      { model: 'A30', rule: BEST_FIT },
      { model: 'A100', rule: PLACINGS.at(-1) ?? AS_TODAY },
      { model: 'H100', rule: BEST_FIT },
      { model: 'T4', rule: AS_TODAY },
    ]
    expect(reasonsOf(compared([203, null], [190, null], { septet: outcome(190, null, 2), rules }))).toEqual([
      'The fleet has 200 GPUs at $617K a month. Best fit, as kube-scheduler packs, needs 192, and no layout can do with fewer than 185.',
      'Septet picked the best of 5 rules for each GPU model on this same work: fill the fullest GPU on A30, H100; open as few GPUs as possible on A100; keep today’s layout elsewhere.',
      '2 pods fit no GPU of this fleet and are left out.',
    ])
    expect(reasonsOf(compared([203, null], [190, null], { bound: null }))[0]).toBe(
      'The fleet has 200 GPUs at $617K a month. Best fit, as kube-scheduler packs, needs 192.',
    )
  })

  test('says so where every model keeps today’s layout', () => {
    const rules = [{ model: 'T4', rule: AS_TODAY }]
    expect(reasonsOf(compared([9, 1], [9, 1], { rules }))[1]).toBe(
      'Septet picked the best of 5 rules for each GPU model on this same work: keep today’s layout.',
    )
  })
})
