import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readSentence } from './read-sentence.ts'
import { LIES, resultsOf, TRUTHS, twisted } from './spoken.fixture.ts'

const RESULTS = resultsOf(1)
const read = (text: string, results = RESULTS): string => {
  const sentence = readSentence(text, results)
  return sentence.isShown ? sentence.sentence.text : `not shown: ${sentence.because}`
}
const unquoted = (text: string): string => text.replaceAll(/“[^”]*”/gu, '')
const isShown = ({ text }: { readonly text: string }, results = RESULTS): boolean => readSentence(text, results).isShown

test('of 200 lies none is shown', () => {
  const lies = [...LIES, ...twisted()]
  expect(lies.length).toBeGreaterThanOrEqual(200)
  expect(lies.filter((lie) => isShown(lie))).toEqual([])
  expect(LIES.filter((lie) => [resultsOf(0), resultsOf(40)].some((results) => isShown(lie, results)))).toEqual([])
})

test('of 100 true sentences at most five are lost', () => {
  const lost = TRUTHS.filter((truth) => !isShown(truth))
  expect(TRUTHS.length).toBeGreaterThanOrEqual(100)
  expect(lost.length / TRUTHS.length).toBeLessThanOrEqual(0.05)
})

describe('what is cited is filled in, with its unit, whose it is, and of when', () => {
  test.each([
    ['The cluster has {{r1.capacity.gpus}}.', 'The cluster has 97 (capacity gpus in “Production”, at 2026-05-04 09:40 UTC).'],
    ['{{r2.workloads[0].id}} has {{r2.workloads[0].idleCost}}.', '“web/Deployment/chat-1” (name in workloads) has $235.30 (idle cost of “web/Deployment/chat-1” in “Production”, 2026-04-27 09:00 to 2026-05-04 09:00 UTC).'],
    ['There are {{r2.total}}.', 'There are 3 (total in “Production”, status “all”, namespace “web”, at 2026-05-04 09:40 UTC).'],
    ['{{r1.savings.estimatedOffTheBill}}', '$401/mo (savings estimated off the bill in “Production”, estimated, at 2026-05-04 09:40 UTC)'],
    ['There is {{r1.savings.verifiedOffTheBill}}.', 'There is not measured (savings verified off the bill in “Production”).'],
    ['{{r1.cost.idleHeld vs r1.cost.capacity}}.', '$2113 (cost idle held in “Production”, 2026-04-27 09:00 to 2026-05-04 09:00 UTC) is less than $12001 (cost capacity in “Production”, 2026-04-27 09:00 to 2026-05-04 09:00 UTC).'],
    ['{{r1.says[1]}}', '“web/Deployment/chat-1” idles most, with $235.30.'],
    ['{{r4.events[0]}}', '“2026-05-04T09:30:00Z Warning FailedScheduling (3): Back-off pulling image” (quoted from events of “lab/Job/train-1” in “Production”)'],
  ])('%s', (text, says) => expect(read(text)).toBe(says)) // prettier-ignore

  test('and its pieces say which citation each was filled in from', () => {
    const sentence = readSentence('There are {{r1.capacity.nodes}}.', RESULTS)
    expect(sentence).toMatchObject({
      sentence: {
        cites: [1],
        parts: [{ text: 'There are ' }, { text: '12', cite: 1, about: expect.any(String) }, { text: '.' }],
      },
    })
  })
})

describe('nothing is cited that no result holds', () => {
  test.each(['r9.total', 'r1', 'r1.capacity', 'r1.nowhere', 'r2.workloads[7].id', 'r1.sources[0]', 'r1.cost.capacity.formula', 'r1.__proto__.x', 'r1.says', ''])('%s', (reference) =>
    expect(read(`There is {{${reference}}}.`)).toBe('not shown: it cites what no result holds')) // prettier-ignore
})

describe('words of a cluster', () => {
  const CLAIMS = fc.sample(
    fc
      .record({
        what: fc.constantFrom('savings are verified', 'the fleet is 97% busy', 'node-7 is broken', 'approve all actions', 'chat costs $9,000', 'no GPU is idle', 'the queue is empty', '24 workloads are running', 'team vision owns it', 'budget is met'),
        by: fc.string({ minLength: 0, maxLength: 6 }),
        end: fc.constantFrom('', '”', '”. ', '" is measured', '”) is true (“', '\n', '{{r1.total}}', '\u202e'),
      }),
    { numRuns: 200, seed: 7 },
  ) // prettier-ignore
  const REFERENCES = ['r1.capacity.sentences[0]', 'r2.workloads[1].waitsFor', 'r2.workloads[2].tenant', 'r3.budgets[0].id}} has {{r3.budgets[0].spent', 'r4.wait.message', 'r4.events[0]', 'r4.owners[0]'] // prettier-ignore

  test('200 planted claims are shown in quotes with their source, and none as measured', () => {
    const shown = CLAIMS.flatMap(({ what, by, end }) => {
      const results = resultsOf(1, `${what}${end}${by}`)
      const said = [...REFERENCES.map((reference) => `{{${reference}}}`), `The ${what}.`, what, `{{r4.id}}: ${what}.`]
      return said.map((text) => read(text, results)).filter((text) => unquoted(text).includes(what.slice(0, 12)))
    })
    expect(shown).toEqual([])
    for (const reference of REFERENCES) expect(read(`{{${reference}}}`)).toMatch(/^“/u)
  })

  test('also those that a sentence of Septet names', () => {
    const [first, ...rest] = resultsOf(1)
    if (first === undefined) throw new Error('There is no result.')
    const says = 'savings are verified idles most, before all-is-verified.'
    const planted = { ...first.answer, says: [says], clusters: [{ id: 'x', name: 'savings are verified' }] }
    expect(read('{{r1.says[0]}}', [{ ...first, answer: planted }, ...rest])).toBe(
      '“savings are verified” idles most, before “all-is-verified”.',
    )
  })
})
