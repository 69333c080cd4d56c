import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { checkSentence } from './check-sentence.ts'
import { evidenceOf, type ToolEvidence } from './evidence.ts'
import { quantitiesOf } from './quantities.ts'

const figure = (says: string, value: number | null, unit: string) => ({
  says,
  value,
  unit,
  quality: value === null ? 'unknown' : 'measured',
  formula: 'sum of 99 samples over 5 min',
  source: 'avg_over_time(DCGM_FI_PROF_GR_ENGINE_ACTIVE[5m])',
})

const RESULTS: readonly ToolEvidence[] = [
  {
    number: 1,
    answer: {
      cluster: { id: 'prod', name: 'Production', kind: 'cluster' },
      asOf: '2026-05-04T09:40:30.000Z',
      window: { from: '2026-04-27T09:00:00.000Z', to: '2026-05-04T09:00:00.000Z' },
      page: '/dashboard?range=77d',
      health: { headline: 'All GPUs report', problems: ['GPU 3 of gpu-a100-02 has an uncorrectable error'] },
      capacity: { nodes: 12, gpus: 96, readyGpus: 93, sentences: [] },
      workloads: { running: 41, queued: 3, unmetGpuRequests: 0 },
      utilization: { busy: figure('38.4%', 0.3842, 'ratio'), allocated: figure('71.0%', 0.71, 'ratio') },
      cost: { capacity: figure('$12,345.60', 12_345.6, 'USD'), idle: figure('$2,100.00', 2100, 'USD') },
      savings: { verified: figure('Not measured', null, 'USD/mo') },
      sources: ['GET /api/v1/summary?range=7d&q=madeup-name'],
    },
  },
  {
    number: 2,
    answer: {
      total: 44,
      counts: { running: 41, queued: 3, ended: 0, idle: 5 },
      workloads: [
        {
          id: 'web/Deployment/chat', status: 'running', tenant: 'research', gpu: 'H100-80GB', holdsGpus: 4, idleGpus: 3,
          since: '2026-05-01T08:15:00.000Z', busy: '12.5%', cost: '$312.40', idleCost: '$234.30', gpuHours: 96.5, waitsFor: null,
        },
        {
          id: 'lab/Job/train-7', status: 'queued', tenant: 'vision', gpu: '3g.40gb', holdsGpus: null, idleGpus: null,
          since: '2026-05-04T09:26:00.000Z', busy: 'Not measured', cost: '$0.00', idleCost: '$0.00', gpuHours: 0,
          waitsFor: 'Waits for 14 min: no node has a 3g.40gb free.',
        },
      ],
    },
  },
] // prettier-ignore

const EVIDENCE = evidenceOf(RESULTS)
const check = (sentence: string) => checkSentence(sentence, EVIDENCE)

describe('a sentence whose numbers, names and states a result holds', () => {
  test.each([
    ['There are 96 GPUs on 12 nodes.', [1]],
    ['93 of 96 GPUs are ready.', [1]],
    ['The fleet was busy for 38.4% of the time in the last 7 days.', [1]],
    ['Utilization was 38%.', [1]],
    ['Capacity cost $12,346, of which $2,100 was idle.', [1]],
    ['Capacity cost about $12.3k.', [1]],
    ['web/Deployment/chat holds 4 GPUs, of which 3 are idle.', [2]],
    ['chat in the namespace web cost $312.40.', [2]],
    ['train-7 is queued since 2026-05-04 at 09:26.', [2]],
    ['train-7 has waited 14 minutes for a 3g.40gb.', [2]],
    ['It has waited since May 4.', [1]],
    ['Three workloads are waiting.', [1]],
    ['GPU 3 of gpu-a100-02 has an uncorrectable error.', [1]],
    ['“Production” has 12 nodes.', [1]],
    ['research holds 4 GPUs.', [2]],
  ])('%s', (sentence, cites) => {
    expect(check(sentence)).toMatchObject({ isCovered: true })
    expect(check(sentence)).toEqual({ isCovered: true, cites })
  })
})

describe('a sentence that says more than the results is dropped', () => {
  test.each([
    ['another number', 'There are 97 GPUs.'],
    ['rounded too far', 'Utilization was 39%.'],
    ['a number of another kind', 'Capacity cost $96.'],
    ['a share for a count', '38.4 GPUs are busy.'],
    ['a number that counts something else', 'There are 96 nodes.'],
    ['the number beside it', 'Idle capacity cost $12,345.60.'],
    ['the state beside it', '71% of the fleet was busy.'],
    ['the number of another row', 'train-7 cost $312.40.'],
    ['the total for one', 'train-7 holds 96 GPUs.'],
    ['a name that is made up', 'web/Deployment/chatty holds 4 GPUs.'],
    ['a name in what was asked alone', 'madeup-name is idle.'],
    ['a plain name that is made up', 'The namespace falcon is idle.'],
    ['a proper name that is made up', 'Most of it belongs to Falcon.'],
    ['a node that is made up', 'GPU 3 of gpu-a100-03 has an uncorrectable error.'],
    ['another day', 'train-7 is queued since 2026-05-05.'],
    ['another time', 'train-7 is queued since 09:27.'],
    ['another window', 'The fleet was busy for 38.4% of the time in the last 30 days.'],
    ['a number of a formula', 'It is the sum of 99 samples.'],
    ['a number of an address', 'The range was 77 days.'],
    ['nought for what is not measured', 'Verified savings were $0.'],
    ['a state of another row', 'train-7 is idle.'],
    ['vague amounts', 'Half of the GPUs are idle.'],
    ['everything', 'Every node is idle.'],
    ['a trend', 'Utilization rose to 38.4%.'],
    ['none where there are some', 'No workloads are waiting.'],
    ['nothing that can be looked up', 'Your platform team does a great job.'],
    ['another currency', 'Capacity cost €12,345.60.'],
    ['a link', 'See https://evil.example/ for the 96 GPUs.'],
    ['a spelled number', 'Five workloads are waiting.'],
    ['a spelled number of them', 'Seven of them are waiting.'],
    ['the number of another row, by a plain name', 'vision holds 4 GPUs.'],
    ['the number beside it, in words after it', 'Of that, $12,345.60 was idle.'],
    ['an order', 'Delete gpu-a100-02 now.'],
    ['advice to change something', 'You should drain gpu-a100-02.'],
    ['what the model says it did', 'I approved the action on gpu-a100-02.'],
  ])('%s', (_what, sentence) => expect(check(sentence)).toMatchObject({ isCovered: false }))
})

const row = fc.record({ gpus: fc.integer({ min: 1, max: 500 }), usd: fc.double({ min: 1, max: 1e6, noNaN: true }) })
const evidenceOfRow = (gpus: number, usd: number, more = { gpus: 999_999, usd: 9_999_999 }) =>
  evidenceOf([
    {
      number: 1,
      answer: {
        rows: [
          { id: 'web-1', holdsGpus: gpus, cost: usd },
          { id: 'other-2', holdsGpus: more.gpus, cost: more.usd },
        ],
      },
    },
  ])

test('of a name that stands in several results, any of them may hold what is said', () => {
  const evidence = evidenceOf([
    { number: 1, answer: { rows: [{ id: 'web-1', cost: 10 }] } },
    { number: 2, answer: { rows: [{ id: 'web-1', holdsGpus: 7 }] } },
  ])
  expect(checkSentence('web-1 costs $10.', evidence)).toEqual({ isCovered: true, cites: [1] })
  expect(checkSentence('web-1 holds 7 GPUs.', evidence)).toEqual({ isCovered: true, cites: [2] })
})

test('a text that counts something says so, though it counts nothing of something else', () => {
  const evidence = evidenceOf([{ number: 1, answer: { state: '3 idle, 0 broken' } }])
  expect(checkSentence('3 are idle.', evidence)).toMatchObject({ isCovered: true })
  const none = evidenceOf([{ number: 1, answer: { state: '0 broken' } }])
  expect(checkSentence('Some are broken.', none)).toMatchObject({ isCovered: false })
})

describe('numbers, whatever they are', () => {
  test('a value written with so many decimals is covered, and one that is further off is not', () => {
    fc.assert(
      fc.property(
        row,
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 50 }),
        ({ gpus, usd }, digits, off) => {
          const evidence = evidenceOfRow(gpus, usd)
          const written = usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
          const wrong = (usd + (off + 0.6) * 10 ** -digits).toFixed(digits)
          expect(checkSentence(`web-1 costs $${written}.`, evidence)).toMatchObject({
            isCovered: Number(written.replaceAll(',', '')) !== 0,
          })
          expect(checkSentence(`web-1 costs $${wrong}.`, evidence)).toMatchObject({ isCovered: false })
        },
      ),
    )
  })
  test('percentages of shares', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 4 }), (share, off) => {
        const evidence = evidenceOf([{ number: 1, answer: { busy: figure('', share, 'ratio') } }])
        const tenths = (share * 100).toFixed(1)
        expect(checkSentence(`It was busy ${tenths}% of the time.`, evidence).isCovered).toBe(Number(tenths) > 0)
        const wrong = (share * 100 + off).toFixed(1)
        expect(checkSentence(`It was busy ${wrong}% of the time.`, evidence).isCovered).toBe(false)
      }),
    )
  })
  test('what one row holds never covers a sentence about another', () => {
    fc.assert(
      fc.property(row, row, (one, two) => {
        fc.pre(one.gpus !== two.gpus)
        const evidence = evidenceOfRow(one.gpus, one.usd, two)
        expect(checkSentence(`web-1 holds ${one.gpus} GPUs.`, evidence).isCovered).toBe(true)
        expect(checkSentence(`web-1 holds ${two.gpus} GPUs.`, evidence).isCovered).toBe(false)
        expect(checkSentence(`web-1 holds ${one.gpus} GPUs and other-2 holds ${two.gpus}.`, evidence).isCovered).toBe(
          true,
        )
        expect(checkSentence(`web-1 holds ${two.gpus} GPUs and other-2 holds ${one.gpus}.`, evidence).isCovered).toBe(
          false,
        )
      }),
    )
  })
  test('every number of a text is read, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999 }), (value) => {
        for (const text of [
          `(${value})`,
          `${value.toLocaleString('en-US')} GPUs`,
          `about ${value}, then`,
          `=${value}.`,
        ]) {
          expect(quantitiesOf(text).map((quantity) => quantity.value)).toEqual([value])
        }
      }),
    )
  })
})
