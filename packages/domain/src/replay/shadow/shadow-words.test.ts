import { describe, expect, test } from 'vitest'

import { recordOf } from '../../analyze/field-values.ts'
import { DAY_MS, gpuHours, HOUR_MS, instant, ratio, usd } from '../../units.ts'
import { REPLAYED_CLASSES } from '../../plan/words/action-class.ts'
import { REPLAYS } from './replays.ts'
import { SHADOW_OUTCOMES, type ShadowAction, type ShadowMonth } from './shadow.ts'
import { outcomeWords, shadowWords } from './shadow-words.ts'

const FROM = instant(1_780_272_000_000)

const NONE_FREED = { gpuHours: gpuHours(0), usd: undefined, unpriced: gpuHours(0), unknownHours: 0 }
const ACTION: ShadowAction = {
  object: 'workload/lab/Job/x',
  title: '',
  message: '',
  rule: { name: 'drawn', version: 1 },
  proposedAt: FROM,
  doneAt: FROM,
  pods: 1,
  gpus: 1,
  nodes: ['a'],
  evidence: { query: '', window: { from: FROM, to: FROM }, samples: 0, coverage: ratio(1), figures: {} },
  confidence: ratio(1),
  freed: NONE_FREED,
  outcome: { kind: 'still-idle', at: FROM },
}

const NOTHING = recordOf(SHADOW_OUTCOMES, () => 0)
/** One change, priced and never wrong. */
const ONCE = {
  objects: 1,
  wrong: 0,
  outcomes: NOTHING,
  gpuHours: gpuHours(1234.5),
  unpriced: gpuHours(0),
  unknownHours: 0,
}
const unknownOf = (count: number) => ({ outcomes: { ...NOTHING, 'not-known': count } })

type Told = Partial<ShadowMonth['totals']> & {
  readonly of?: ShadowMonth['class']
  readonly days?: number
  readonly times?: number
}

const month = ({ of = 'reclaim-idle', days = 30, times = 1, ...totals }: Told = {}): ShadowMonth => ({
  class: of,
  recorded: { from: FROM, to: instant(FROM + days * DAY_MS) },
  actions: Array.from({ length: times }, () => ACTION),
  withdrawn: 0,
  heldBack: [],
  totals: { ...ONCE, usd: usd(2469), objects: times, ...totals },
})

describe('what a replay comes to', () => {
  test.each<[string, ShadowMonth, string]>([
    [
      'without a mistake',
      month(),
      'In the last 30 days Septet would have stopped 1 workload, freed 1,235 GPU-hours ($2,469), and never been wrong.',
    ],
    [
      'several times of the same work, and wrong',
      month({ times: 5, objects: 2, wrong: 1 }),
      'In the last 30 days Septet would have stopped 2 workloads, 5 times in total, freed 1,235 GPU-hours ($2,469), and been wrong once.',
    ],
    [
      'of less than a day, without a price',
      month({ days: 0.25, gpuHours: gpuHours(2.04), usd: undefined, times: 2, wrong: 2 }),
      'In the last 6 hours Septet would have stopped 2 workloads, freed 2 GPU-hours (no price is known), and been wrong twice.',
    ],
    [
      'of one GPU-hour, rounded',
      month({ gpuHours: gpuHours(1.04) }),
      'In the last 30 days Septet would have stopped 1 workload, freed 1 GPU-hour ($2,469), and never been wrong.',
    ],
    [
      'partly without a price, partly of unknown outcome',
      month({ of: 'fewer-gpus', times: 4, unpriced: gpuHours(100), ...unknownOf(1), wrong: 3 }),
      'In the last 30 days Septet would have given 4 workloads fewer GPUs, freed 1,235 GPU-hours ($2,469, 100 of them without a price), and been wrong 3 times. For 1 the outcome is unknown: nothing was measured after it.',
    ],
    [
      'of which nothing is known afterwards',
      month({ of: 'remove-node', times: 2, gpuHours: gpuHours(9.94), ...unknownOf(2) }),
      'In the last 30 days Septet would have removed 2 nodes, taken 9.9 GPU-hours ($2,469) off the bill, and never been wrong. For all of them the outcome is unknown: nothing was recorded after it, or work still looked for room.',
    ],
    [
      'of smaller sizes',
      month({ of: 'right-size', times: 2 }),
      'In the last 30 days Septet would have given 2 workloads a smaller size, freed 1,235 GPU-hours ($2,469), and never been wrong.',
    ],
  ])('%s', (_, told, words) => expect(shadowWords(told)).toBe(words))

  test.each([
    ['reclaim-idle', 'stopped nothing'],
    ['right-size', 'given no work a smaller size'],
    ['fewer-gpus', 'given no work fewer GPUs'],
    ['remove-node', 'removed no node'],
  ] as const)('%s that would have done nothing', (of, nothing) => {
    const told = month({ of, times: 0, objects: 1 })
    expect(shadowWords(told)).toBe(`In the last 30 days Septet would have ${nothing} by itself.`)
  })

  test('is named by its ends where it was asked for like that', () => {
    expect(shadowWords(month({ times: 0, days: 1 }), true)).toBe(
      'From 2026-06-01 00:00 UTC to 2026-06-02 00:00 UTC (1 day) Septet would have stopped nothing by itself.',
    )
  })

  test('of a time that nobody recorded is nothing, and says whether to ask again', () => {
    const nothing = { ...month(), recorded: undefined }
    expect(shadowWords(nothing)).toBe(
      'No whole hour of this cluster is stored yet, so there is nothing to replay. Ask again tomorrow.',
    )
    expect(shadowWords(nothing, true)).toBe('No whole hour of this time is stored, so there is nothing to replay.')
  })
})

const outcome = (kind: ShadowAction['outcome']['kind'], { object = 'workload/lab/Job/x', hours = 3 } = {}): string =>
  outcomeWords({ outcome: { kind, at: instant(FROM + hours * HOUR_MS) }, doneAt: FROM, object })
const node = { object: 'node/a' }
const atOnce = { hours: 0 }

describe('what came after a change', () => {
  test.each([
    [outcome('came-back-at-once'), 'Wrong: it worked again within the hour.'],
    [
      outcome('too-little-memory'),
      'Wrong: 3 h later it used more memory than it would have had, and would have been ended.',
    ],
    [
      outcome('too-little-compute', atOnce),
      'Wrong: at once it was busier for an hour than what it would have had, and slowed down.',
    ],
    [outcome('no-room'), 'Wrong: 3 h later it found no room within an hour.'],
    [outcome('came-back-later', { hours: 50 }), 'It worked again 2 d 2 h later.'],
    [outcome('ended', atOnce), 'It ended by itself then.'],
    [outcome('ended'), 'It ended or was changed by its owner 3 h later.'],
    [outcome('still-idle'), 'It has not worked in the 3 h since.'],
    [outcome('held-up'), 'What it would have had was enough in the 3 h since.'],
    [outcome('not-known'), 'Unknown: the hour after is not over, or was not measured.'],
    [outcome('no-room', node), 'Wrong: 3 h later its work found no room on the nodes that are left within an hour.'],
    [outcome('ended', node), 'The node went by itself 3 h later.'],
    [outcome('held-up', node), 'The nodes that are left had room for its work in the 3 h since.'],
    [outcome('not-known', node), 'Unknown: nothing was recorded after it, or work still looked for room.'],
  ])('%#: %s', (said, words) => expect(said).toBe(words))
})

test.each(REPLAYED_CLASSES)('a reader of a replay of %s is told what nobody recorded', (of) => {
  const { notes } = REPLAYS[of]
  expect(notes.join(' ')).toContain('assumed to be as they are today')
  expect(new Set(notes).size).toBe(notes.length)
})
