import { RECOMMENDATION_KINDS } from '@septet/domain/action-classes'
import { OPERATIONS, type OutputOf } from '@septet/contract'
import { beforeAll, expect, test } from 'vitest'

import { eventually } from '../server-process.ts'
import { demoSeptet, type SharedSeptet } from '../shared/shared.ts'

type List = OutputOf<typeof OPERATIONS.recommendationsList>

let septet: SharedSeptet
beforeAll(async () => {
  septet = await demoSeptet()
})

const address = (path: string): string => `${septet.url}/api/v1/recommendations${path}`
const list = async (query = ''): Promise<List> =>
  OPERATIONS.recommendationsList.output.parse(await (await fetch(address(`?cluster=demo&limit=500${query}`))).json())
const detail = async (id: string): Promise<OutputOf<typeof OPERATIONS.recommendationsGet>> =>
  OPERATIONS.recommendationsGet.output.parse(await (await fetch(address(`/${id}?cluster=demo`))).json())
const kindsOf = ({ recommendations }: List): ReadonlySet<string> => new Set(recommendations.map(({ kind }) => kind))

/** Kinds that may save an amount; the others start work, or free what nobody can promise. */
const NUMBERED = ['right-size', 'fewer-gpus', 'reclaim-idle', 'remove-node']

/** What the stage of the demo shows at any hour. Whether some work fits a smaller size or number is up to chance, and to its past. */
const STAGED = [
  'share node/gpu-l40s-05',
  'remove-node node/gpu-a100-40-02',
  'reclaim-idle workload/research-vision/StatefulSet/explore-thesis',
]
const DRAWN = ['right-size', 'fewer-gpus']
const YOUNG_MS = 26 * 3_600_000

/**
 * Kinds that must be there now. Every four weeks each of the small services gets a new pod; until it has a day of
 * history nobody can say whether they may share.
 */
async function expectedKinds(): Promise<readonly string[]> {
  const { workloads: all } = await workloads()
  const small = all.filter(({ name, status }) => name.startsWith('playground-') && status === 'running')
  expect(small).toHaveLength(4)
  const isYoung = small.some(({ since }) => since !== null && Date.now() - Date.parse(since) < YOUNG_MS)
  return RECOMMENDATION_KINDS.filter((kind) => ![...DRAWN, ...(isYoung ? ['share'] : [])].includes(kind))
}

test('the demo cluster yields every kind of recommendation that it stages, while its past is still being read', async () => {
  await eventually(workloads, ({ workloads: all }) => all.length > 0)
  const kinds = await expectedKinds()
  const staged = STAGED.filter((one) => kinds.some((kind) => one.startsWith(`${kind} `)))
  const { recommendations } = await eventually(list, (answer) => {
    const objects = new Set(answer.recommendations.map(({ kind, object }) => `${kind} ${object}`))
    return kinds.every((kind) => kindsOf(answer).has(kind)) && staged.every((one) => objects.has(one))
  })
  const cut = recommendations.filter(({ kind }) => kind === 'repartition').map(({ object }) => object)
  expect(cut.join(' ')).toContain('gpu-h100-08')
  for (const { kind, saving, risk, evidence, plan } of recommendations) {
    expect(saving.kind === 'estimated' ? NUMBERED : RECOMMENDATION_KINDS).toContain(kind)
    expect(risk?.confidence).toBeGreaterThan(0)
    expect(evidence.query).not.toBe('')
    expect((plan?.steps.length ?? 0) + (plan?.refused.length ?? 0)).toBeGreaterThan(0)
  }
})

test('each comes with files that can be applied by hand, and with the way back', async () => {
  const { recommendations } = await list()
  const kinds = new Set([...(await expectedKinds()), ...recommendations.map((each) => each.kind)])
  for (const kind of kinds) {
    const one = recommendations.find((each) => each.kind === kind)
    if (one === undefined) throw new Error(`no ${kind} is listed any more`)
    const { recommendation, files } = await detail(one.id)
    expect(recommendation).toMatchObject({ id: one.id, kind, object: one.object })
    expect(files.length).toBeGreaterThan(0)
    expect(files.every(({ path, text }) => path !== '' && text !== '')).toBe(true)
  }
})

const workloads = async (): Promise<OutputOf<typeof OPERATIONS.workloadsList>> => {
  const answer = await fetch(`${septet.url}/api/v1/workloads?cluster=demo&range=7d&sort=idleCost&limit=2000`)
  return OPERATIONS.workloadsList.output.parse(await answer.json())
}

const clusters = async () =>
  OPERATIONS.clustersList.output.parse(await (await fetch(`${septet.url}/api/v1/clusters`)).json()).clusters

/** The past is read to its end, and recommendations are made of all of it: then both answers are of the same window. */
async function settled(): Promise<void> {
  await eventually(clusters, (all) => all.every(({ history }) => history === null))
  const readAt = Date.now()
  // On a busy machine they are made again only after minutes: making them rests for as long as it takes, and longer.
  await eventually(list, ({ madeAt }) => madeAt !== null && Date.parse(madeAt) > readAt)
}

test('each of the ten largest idle holders has a recommendation or a stated reason why not', async () => {
  await settled()
  const { recommendations, unanswered } = await list()
  const answered = new Set(recommendations.map(({ object }) => object))
  const shared = recommendations.flatMap(({ kind, risk }) => (kind === 'share' ? (risk?.displaced ?? []) : []))
  const { workloads: all } = await workloads()
  const idling = all.filter(({ status }) => status === 'running').slice(0, 10)
  expect(idling[0]?.idleCost.value).toBeGreaterThan(100)
  for (const { id } of idling) {
    const isShared = shared.some((pod) => pod.startsWith(id.replace(/\/[^/]+\//u, '/')))
    const reason = unanswered.find(({ workload }) => workload === id)
    const words = answered.has(`workload/${id}`) || isShared ? 'a recommendation' : (reason?.because ?? 'nothing')
    expect(`${id}: ${words}`).not.toBe(`${id}: nothing`)
  }
  for (const { because } of unanswered) expect(because).toMatch(/\.$/u)
})

test('what is claimed per hour is never more than what was measured idle on the same objects', async () => {
  const [{ recommendations }, { workloads: all, window }] = await Promise.all([list(), workloads()])
  const hours = window === null ? 0 : (Date.parse(window.to) - Date.parse(window.from)) / 3_600_000
  const idle = new Map(all.map(({ id, idleCost }) => [`workload/${id}`, (idleCost.value ?? 0) / hours]))
  let [claimed, measured] = [0, 0]
  for (const { object, saving, title } of recommendations) {
    if (saving.kind !== 'estimated' || !object.startsWith('workload/')) continue
    const perHour = (saving.usdPerMonth ?? 0) / 730
    claimed += perHour
    measured += idle.get(object) ?? 0
    // The answer is newer than the recommendations, by less than a part in a hundred of the window.
    expect(`${title}: ${perHour > (idle.get(object) ?? 0) * 1.01 + 0.01}`).toBe(`${title}: false`)
  }
  expect(claimed).toBeLessThanOrEqual(measured * 1.01)
  expect(claimed).toBeGreaterThan(0)
})
