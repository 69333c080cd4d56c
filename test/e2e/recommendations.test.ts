import { RECOMMENDATION_KINDS } from '@septet/domain'
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

/** What the stage of the demo shows at any hour. Whether some work fits a smaller size is up to chance, and to its past. */
const STAGED = [
  'share node/gpu-l40s-05',
  'remove-node node/gpu-a100-40-02',
  'reclaim-idle workload/research-vision/StatefulSet/explore-thesis',
]
const KINDS = RECOMMENDATION_KINDS.filter((kind) => kind !== 'right-size')

test('the demo cluster yields every kind of recommendation that it stages, while its past is still being read', async () => {
  const { recommendations } = await eventually(list, (answer) => {
    const objects = new Set(answer.recommendations.map(({ kind, object }) => `${kind} ${object}`))
    return KINDS.every((kind) => kindsOf(answer).has(kind)) && STAGED.every((one) => objects.has(one))
  })
  const cut = recommendations.filter(({ kind }) => kind === 'repartition').map(({ object }) => object)
  expect(cut.join(' ')).toContain('gpu-h100-08')
  for (const { kind, saving, risk, evidence, plan } of recommendations) {
    const isNumber = ['right-size', 'reclaim-idle', 'remove-node'].includes(kind)
    expect(saving.kind).toBe(isNumber ? 'estimated' : 'none')
    expect(risk?.confidence).toBeGreaterThan(0)
    expect(evidence.query).not.toBe('')
    expect((plan?.steps.length ?? 0) + (plan?.refused.length ?? 0)).toBeGreaterThan(0)
  }
})

test('each comes with files that can be applied by hand, and with the way back', async () => {
  const { recommendations } = await list()
  const kinds = new Set([...KINDS, ...recommendations.map((each) => each.kind)])
  for (const kind of kinds) {
    const one = recommendations.find((each) => each.kind === kind)
    if (one === undefined) throw new Error(`no ${kind} is listed any more`)
    const { recommendation, files } = await detail(one.id)
    expect(recommendation).toMatchObject({ id: one.id, kind, object: one.object })
    expect(files.length).toBeGreaterThan(0)
    expect(files.every(({ path, text }) => path !== '' && text !== '')).toBe(true)
  }
})
