import type { OperationKey } from '@septet/contract'
import { readManifest } from '@septet/connectors'
import { instant, type Caller, type Store } from '@septet/domain'
import { DRAWN_AT, draw } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { ClusterFacts } from '../../facts.ts'
import type { AccessService } from '../access/access-service.ts'
import type { AlertService } from '../alerts/alert-service.ts'
import { makeAnswers } from '../answers.ts'
import type { ClusterService } from '../clusters/cluster-service.ts'
import type { Installation } from '../settings/settings-answers.ts'
import { ADMIN } from './admin-caller.fixture.ts'
import type { Answers } from './answering.ts'
import { recommendationsOf } from './drawn-namespaces.fixture.ts'
import { factsOf } from './facts.fixture.ts'
import { KeptAnswers, SHARED } from './kept-answers.ts'

const AT = new Date(DRAWN_AT).toISOString()
const IDS = ['one', 'two']
/** What a cluster may look like. */
const PICTURES = [
  draw`a  H100-80GB-HBM3  [lab/train]`,
  draw`
    a  H100-80GB-HBM3  [lab/train]
    b  A100-SXM4-80GB  [3g.40gb lab-b/chat] [3g.40gb other/batch]`,
  draw`c  H100-80GB-HBM3  [-]`,
]
const drawn = IDS.map((id) =>
  PICTURES.map((picture) => factsOf(picture, [], { id, name: id, kind: 'cluster', createdAt: instant(0) })),
)
const ADVICE = PICTURES.map(recommendationsOf)

type Asked = readonly [OperationKey, object]
const QUESTIONS: readonly [Asked, ...Asked[]] = [
  ['summaryGet', {}],
  ['summaryGet', { range: '1h' }],
  ['utilizationTrend', {}],
  ['partitionsList', {}],
  ['fleetMap', {}],
  ['workloadsList', {}],
  ['queueWaits', {}],
  ['costBreakdown', { by: 'namespace' }],
  ['costBreakdown', { by: 'model' }],
  ['costTokens', { by: 'model' }],
  ['costMonths', {}],
  ['costDays', {}],
  ['costLedger', {}],
  ['budgetsList', {}],
  ['recommendationsList', {}],
]

const CALLERS: readonly Caller[] = [
  ADMIN,
  { ...ADMIN, role: 'viewer' },
  { ...ADMIN, role: 'viewer', namespaces: ['lab'] },
  { ...ADMIN, role: 'viewer', namespaces: ['other'] },
  { ...ADMIN, clusters: ['two'] },
]

/** Of the clusters that are asked about mostly the first. */
const cluster = fc.constantFrom(0, 0, 1)
const anyPicture = fc.nat({ max: PICTURES.length - 1 })
const ofKind = <const Kind extends string>(kind: Kind) =>
  fc.record({ kind: fc.constant(kind), cluster, picture: anyPicture })
/** What makes answers old; the last is written by another server, which tells nobody, and a second passes. */
const anyChange = fc.oneof(
  ofKind('read'),
  { weight: 2, arbitrary: ofKind('advise') },
  ofKind('budget'),
  ofKind('dismiss'),
  { weight: 2, arbitrary: ofKind('elsewhere') },
)
type Change = typeof anyChange extends fc.Arbitrary<infer One> ? One : never

/** Those that show what is stored are asked as often as all others. */
const anyQuestion = fc.oneof(
  fc.constantFrom(...QUESTIONS),
  fc.constantFrom(...QUESTIONS.filter(([key]) => ['summaryGet', 'budgetsList', 'recommendationsList'].includes(key))),
)
const anyCaller = fc.constantFrom(...CALLERS)
/** A cluster is named, or it is the first one that the caller may see. */
const named = fc.option(fc.constantFrom(...IDS), { nil: undefined })
type Ask = readonly [Asked, Caller, string | undefined]
/** One question, the same by another caller, and another question: asked again and again, whatever happens in between. */
const course = fc.record({
  asks: fc
    .tuple(anyQuestion, anyCaller, anyCaller, anyQuestion, named)
    .map(([one, who, other, another, where]): readonly Ask[] => [
      [one, who, where],
      [one, other, where],
      [another, who, where],
    ]),
  steps: fc.array(
    fc.record({
      which: fc.constantFrom(0, 0, 0, 1, 2),
      /** It is not waited for, so that something happens before it is answered. */
      isLeft: fc.constantFrom(false, false, true),
      change: fc.option(anyChange, { nil: undefined }),
    }),
    { minLength: 10, maxLength: 20 },
  ),
})
type Course = typeof course extends fc.Arbitrary<infer One> ? One : never

let worlds = 0
let store: Store
beforeAll(async () => void (store = await openTestStore()))
afterAll(() => store.close())

const answersOf = (clusters: () => readonly ClusterFacts[], kept?: KeptAnswers): Answers =>
  makeAnswers({
    readManifest,
    facts: { clusters },
    store,
    now: () => DRAWN_AT,
    record: async () => undefined,
    service: {} as AccessService,
    clusters: {} as ClusterService,
    installation: {} as Installation,
    alerts: {} as AlertService,
    ...(kept && { kept }),
  })

/** Two clusters, asked by way of `KeptAnswers` and without it. */
async function openWorld(Kept: typeof KeptAnswers, { asks }: Course) {
  let steady = 0
  const seen = IDS.map(() => ({ picture: 0, edition: {} }))
  const kept = new Kept(() => steady)
  const facts = (): readonly ClusterFacts[] =>
    seen.flatMap(({ picture, edition }, order) => {
      const known = drawn[order]?.[picture]
      return known === undefined ? [] : [{ ...known, edition: () => edition }]
    })
  const [sharing, fresh] = [answersOf(facts, kept), answersOf(facts)]
  const waiting: Promise<unknown>[] = []
  const world = (worlds += 1)
  const adviseOn = async (of: number, advice: number): Promise<void> => {
    const recommendations = (ADVICE[advice] ?? []).map((one) => ({ ...one, id: `${world}-${of}-${one.id}` }))
    await store.recommendations.replace(IDS[of] ?? '', { madeAt: DRAWN_AT, recommendations })
  }
  await Promise.all([...IDS.map((_, order) => adviseOn(order, 0)), store.settings.put('budgets', { budgets: [] })])
  const changes = async ({ kind, cluster: of, picture }: Change): Promise<void> => {
    const id = IDS[of] ?? ''
    if (kind === 'read') seen[of] = { picture, edition: {} }
    else if (kind === 'budget') {
      await sharing.budgetsPut({ id, cluster: id, scope: 'cluster', usdPerMonth: picture + 1, zone: 'UTC' }, ADMIN)
    } else if (kind === 'dismiss') {
      const advised = (await store.recommendations.current(id))?.recommendations[picture]
      if (advised === undefined) return
      await sharing.recommendationsDismiss({ cluster: id, id: advised.id, reason: 'not now' }, ADMIN)
    } else {
      await adviseOn(of, picture)
      if (kind === 'advise') kept.heard({ kind: 'recommendations', cluster: id, asOf: AT })
      else steady += 1000
    }
  }
  return {
    async take({ which, isLeft, change }: Course['steps'][number]): Promise<void> {
      const [[key, input], who, name] = asks[which] ?? [QUESTIONS[0], ADMIN, undefined]
      const asked = { ...input, ...(name !== undefined && { cluster: name }) }
      const answer = settled(sharing[key](asked, who))
      if (isLeft) waiting.push(answer)
      else expect(await answer).toEqual(await settled(fresh[key](asked, who)))
      if (change !== undefined) await changes(change)
    },
    end: () => Promise.all(waiting),
  }
}

const settled = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => ({ refused: String(error) }))

const agrees = (Kept: typeof KeptAnswers) =>
  fc.asyncProperty(course, async (drawnCourse) => {
    const world = await openWorld(Kept, drawnCourse)
    try {
      for (const step of drawnCourse.steps) await world.take(step)
    } finally {
      await world.end()
    }
  })

test('whatever happens between them, questions are answered as if each were answered anew', async () => {
  expect(new Set(QUESTIONS.map(([key]) => key))).toEqual(SHARED)
  await fc.assert(agrees(KeptAnswers), { numRuns: 25 })
}, 120_000)

type Question = Parameters<KeptAnswers['answer']>[0]

/** Flaws that somebody may build in; of each the property must hear. */
const FLAWED = {
  'hears no event': class extends KeptAnswers {
    override heard(): void {}
  },
  'does not know that something is written': class extends KeptAnswers {
    override wrote(): void {}
  },
  'does not look whether facts have changed': class extends KeptAnswers {
    readonly #always = {}
    override answer(question: Question, make: () => Promise<object>): Promise<object> {
      return super.answer({ ...question, cluster: { ...question.cluster, edition: () => this.#always } }, make)
    }
  },
  'does not look who asks': class extends KeptAnswers {
    override answer(question: Question, make: () => Promise<object>): Promise<object> {
      return super.answer({ ...question, caller: ADMIN }, make)
    }
  },
  'does not look what is asked': class extends KeptAnswers {
    override answer(question: Question, make: () => Promise<object>): Promise<object> {
      return super.answer({ ...question, key: 'summaryGet', input: {} }, make)
    }
  },
  'keeps answers for good': class extends KeptAnswers {
    constructor() {
      super(() => 0)
    }
  },
}

test.each(Object.entries(FLAWED))(
  'one that %s is found',
  async (_flaw, Kept) => {
    const { errorInstance } = await fc.check(agrees(Kept), { numRuns: 1000, endOnFailure: true })
    expect(errorInstance).toHaveProperty('name', 'AssertionError')
  },
  120_000,
)

/** What an answer may know of its caller: it is given to others of whom the same holds. */
const RIGHTS: ReadonlySet<string | symbol> = new Set(['kind', 'role', 'clusters', 'namespaces'])

test('no shared answer is made of anything of its caller but their rights', async () => {
  const looked = new Set<string | symbol>()
  const asked: Caller = new Proxy(ADMIN, {
    get(caller, name) {
      looked.add(name)
      return Reflect.get(caller, name)
    },
  })
  const answers = answersOf(() => drawn.flatMap((some) => some.slice(1, 2)))
  const listening = {
    get signal(): AbortSignal {
      throw new Error('one caller who leaves must not end what others wait for')
    },
  }
  for (const [key, input] of QUESTIONS) await answers[key](input, asked, listening)
  expect([...looked].filter((name) => !RIGHTS.has(name))).toEqual([])
})
