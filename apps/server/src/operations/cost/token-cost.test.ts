import { costTokens, OPERATIONS, type InputOf, type OutputOf } from '@septet/contract'
import { citedAt } from '@septet/contract/says'
import { instant, ratio, type ServedTokens, type Store } from '@septet/domain'
import { draw, DRAWN_AT } from '@septet/domain/testing'
import { describe, expect, test } from 'vitest'

import type { ClusterFacts, CountedTokens } from '../../facts.ts'
import { factsOf } from '../answering/facts.fixture.ts'
import { factsOfNamespaces } from '../answering/namespace-facts.ts'
import { SAMPLE_ANSWERS } from '../sample/sample-answers.ts'
import { withSays } from '../says/saying.ts'
import { tokenCostAnswers } from './token-cost.ts'

const SNAPSHOT = draw`
  node-a  H100-80GB-HBM3  [lab/chat] [lab/embed]
  node-b  A100-SXM4-80GB  [web/chat] [-]`
const TENANTS = { tenants: [{ name: 'Labs', namespaces: ['lab'], labels: {} }] }
const store = {
  settings: { get: async (key: string) => (key === 'tenants' ? TENANTS : undefined) },
} as unknown as Store

const row = (workload: string, rest: object = {}): ServedTokens['rows'][number] => ({
  workload,
  namespace: workload.split('/')[0] ?? '',
  model: 'llama',
  engines: ['vLLM'],
  prompt: 3_000_000,
  generation: 1_000_000,
  ...rest,
})
const read = (rows: ServedTokens['rows'], counted = 1, refused: string[] = []): CountedTokens => ({
  kind: 'read',
  readAt: DRAWN_AT,
  served: {
    window: { from: DRAWN_AT, to: instant(DRAWN_AT + 7_200_000) },
    rows,
    workloads: [...new Set(rows.map(({ workload }) => workload))]
      .filter((workload) => workload !== '')
      .map((workload) => ({ workload, counted: ratio(counted), beyond: ratio(0), pods: 1, silentPods: 0 })),
    refused,
  },
})

type Asked = Partial<InputOf<typeof costTokens>>
const CHATS = [row('lab/Pod/chat'), row('web/Pod/chat', { model: 'qwen' })]

async function ask(tokens: CountedTokens, asked: Asked = {}, see = (facts: ClusterFacts): ClusterFacts => facts) {
  const facts = see({ ...factsOf(SNAPSHOT, []), tokens: async () => tokens })
  const input = OPERATIONS.costTokens.input.parse({ ...asked })
  const answer = await tokenCostAnswers({ store }).costTokens(facts, { ...input, ...asked }, undefined as never)
  const told: OutputOf<typeof costTokens> = OPERATIONS.costTokens.output.parse(withSays('costTokens', answer, input))
  for (const { ref } of told.says.flatMap(({ cites }) => cites)) expect(citedAt(told, ref)).not.toBeUndefined()
  return { ...told, text: told.says.map(({ text }) => text).join(' ') }
}

test('tokens stand beside the cost of the GPUs that served them, as the Workloads screen has it', async () => {
  const { groups, total } = await ask(read(CHATS))
  const { analysis } = (await factsOf(SNAPSHOT, []).analysis({ kind: 'quick', name: '24h' })) ?? {}
  const costOf = (id: string) => analysis?.workloads.find((one) => one.id === id)?.cost
  expect(groups.map(({ key, allocated }) => [key, allocated.usd])).toEqual(
    ['lab/Pod/chat', 'web/Pod/chat'].map((id) => [id, costOf(id)]),
  )
  const sum = groups.reduce((dollars, { allocated }) => dollars + (allocated.usd ?? NaN), 0)
  expect(total).toMatchObject({ workloads: 2, tokens: { prompt: 6_000_000, generation: 2_000_000, total: 8_000_000 } })
  expect(total?.allocated.usd).toBeCloseTo(sum, 2)
  expect(total?.usdPerMillion.allocated.total).toBeCloseTo(sum / 8, 6)
})

test('nothing of the GPUs was measured: busy and idle are unknown, and the answer says so', async () => {
  const { total, text } = await ask(read(CHATS))
  expect(total).toMatchObject({ busy: { usd: null }, idle: { usd: null }, usdPerMillion: { busy: { total: null } } })
  expect(text).toContain('by busy time it is unknown')
})

test('is cut by workload, model, namespace and tenant; what has none is a group of its own', async () => {
  const keys = async (by: NonNullable<Asked['by']>) =>
    (await ask(read(CHATS), { by })).groups.map(({ key }) => key).toSorted()
  expect(await keys('workload')).toEqual(['lab/Pod/chat', 'web/Pod/chat'])
  expect(await keys('model')).toEqual(['llama', 'qwen'])
  expect(await keys('namespace')).toEqual(['lab', 'web'])
  expect(await keys('tenant')).toEqual(['', 'Labs'])
  expect((await ask(read(CHATS), { by: 'tenant' })).groups.find(({ key }) => key === '')?.kind).toBe('none')
})

describe('what is not known is named', () => {
  test('tokens without a workload stand apart', async () => {
    const { withoutWorkload, total, text } = await ask(read([...CHATS, row('', { namespace: 'edge' })]))
    expect(withoutWorkload).toMatchObject({ tokens: { total: 4_000_000 }, namespaces: ['edge'] })
    expect(total?.tokens.total).toBe(8_000_000)
    expect(text).toContain('4M tokens come from pods that are not known to have held a GPU')
  })
  test('counters that nobody can read make all of it unknown, and not 0', async () => {
    const { total, groups, unread, text } = await ask({ kind: 'unread', because: 'It is down.' })
    expect({ total, groups, unread }).toEqual({ total: null, groups: [], unread: 'It is down.' })
    expect(text).toBe('Over the past 24 hours, what tokens cost is unknown: It is down.')
  })
  test('no counting engine is not free tokens', async () => {
    const { total, text } = await ask(read([]))
    expect(total).toBeNull()
    expect(text).toContain('no inference engine of a known workload counted tokens')
  })
  test('tokens that were counted for a part of the time have no rate', async () => {
    const { total, text } = await ask(read(CHATS, 0.4))
    expect(total).toMatchObject({ rated: 0, usdPerMillion: { allocated: { total: null } } })
    expect(total?.counted).toBeCloseTo(0.4, 9)
    expect(text).toContain('What a million tokens cost is unknown.')
    expect(text).toContain('counted for only 40%')
  })
  test('a counter that would not be added up is named', async () => {
    expect((await ask(read(CHATS, 1, ['vllm:prompt_tokens_total']))).text).toContain(
      'would not add up vllm:prompt_tokens_total',
    )
  })
  test('sample data has none', () => {
    const input = OPERATIONS.costTokens.input.parse({})
    expect(SAMPLE_ANSWERS.costTokens(input)).toMatchObject({ total: null, unread: expect.stringContaining('Sample') })
  })
})

const lab = (facts: ClusterFacts) => factsOfNamespaces(facts, ['lab'])

test('a caller who is limited to namespaces is told what these counted, and of a failure nothing that names others', async () => {
  const rows = [...CHATS, row('', { namespace: 'edge' })]
  const { groups, withoutWorkload } = await ask(read(rows), {}, lab)
  expect(groups.map(({ key }) => key)).toEqual(['lab/Pod/chat'])
  expect(withoutWorkload).toBeNull()
  const { text } = await ask({ kind: 'unread', because: 'http://engine.web.svc is down.' }, {}, lab)
  expect(text).not.toContain('web')
})
