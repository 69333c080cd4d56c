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

test('the demo cluster yields every kind of recommendation, while the months of its past are still being read', async () => {
  const { recommendations } = await eventually(list, (answer) =>
    RECOMMENDATION_KINDS.every((kind) => kindsOf(answer).has(kind)),
  )
  const objectsOf = (kind: string): readonly string[] =>
    recommendations.filter((each) => each.kind === kind).map(({ object }) => object)
  expect(objectsOf('share')).toContain('node/gpu-l40s-05')
  expect(objectsOf('remove-node')).toContain('node/gpu-a100-40-02')
  expect(objectsOf('reclaim-idle')).toContain('workload/research-vision/StatefulSet/explore-thesis')
  expect(objectsOf('repartition').join(' ')).toContain('gpu-h100-08')
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
  for (const kind of RECOMMENDATION_KINDS) {
    const one = recommendations.find((each) => each.kind === kind)
    if (one === undefined) throw new Error(`no ${kind} is listed any more`)
    const { recommendation, files } = await detail(one.id)
    expect(recommendation).toMatchObject({ id: one.id, kind, object: one.object })
    expect(files.length).toBeGreaterThan(0)
    expect(files.every(({ path, text }) => path !== '' && text !== '')).toBe(true)
  }
})
