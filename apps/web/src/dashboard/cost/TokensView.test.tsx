import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'

import { shows, wordsOf } from '../../read-page.fake.ts'
import { at, windowOf } from '../figures.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../septet.fake.ts'

type Tokens = Answer<'costTokens'>
type Group = Tokens['groups'][number]

const unknown = { prompt: null, generation: null, total: null }
const figures = {
  workloads: 1,
  models: ['llama'],
  engines: ['vLLM'],
  tokens: { prompt: 3_000_000, generation: 1_000_000, total: 4_000_000 },
  allocated: { gpuHours: 10, usd: 20 },
  busy: { gpuHours: 2.5, usd: 5 },
  idle: { gpuHours: 2, usd: 4 },
  rated: 1,
  usdPerMillion: {
    allocated: { prompt: 6.67, generation: 20, total: 5 },
    busy: { prompt: 1.67, generation: 5, total: 0.031 },
  },
  counted: 1,
  because: [],
}
const chat: Group = { key: 'ml/Deployment/chat', kind: 'named', ...figures }
const dark: Group = {
  ...chat,
  key: 'ml/Deployment/dark',
  busy: { gpuHours: null, usd: null },
  idle: { gpuHours: null, usd: null },
  usdPerMillion: { allocated: unknown, busy: unknown },
  because: ['No rate: some of its GPUs have no price.'],
}
const answer = (rest: Partial<Tokens> = {}): Tokens => ({
  source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
  asOf: at(4),
  window: windowOf('24h'),
  by: 'workload',
  split: 'none',
  groups: [chat, dark],
  total: figures,
  withoutWorkload: null,
  uncounted: { workloads: 3, examples: [], gpuHours: 5, usd: 2 },
  unread: null,
  readAt: at(4),
  notes: [],
  ...rest,
})
const open = async (tell: NonNullable<Answers['costTokens']>, more = '') => {
  const page = await openDashboard(`/dashboard/cost?cluster=demo&view=tokens${more}`, { answers: { costTokens: tell } })
  await screen.findByRole('heading', { name: 'What tokens cost' })
  return page
}

test('each workload has its tokens, cost and both rates; what is unknown says so and why', async () => {
  await open(() => answer())
  const table = await screen.findByRole('table', { name: 'Tokens by workload' })
  const rows = within(table).getAllByRole('row').map(wordsOf)
  expect(rows.find((words) => words.includes('chat'))).toMatch(/3M.*1M.*\$20.*\$4.*\$5\.00.*\$0\.031/u)
  const unrated = rows.find((words) => words.includes('dark')) ?? ''
  expect(unrated).toContain('some of its GPUs have no price')
  expect(unrated.match(/Unknown/gu)).toHaveLength(3)
  await shows('3 inference workloads that held 5.0 GPU-h count no tokens')
})

test('the rates can be of the tokens that were written alone, and models of one workload are split only where asked', async () => {
  const asked: { by?: string; split?: string }[] = []
  await open((input) => {
    asked.push(input)
    return answer({ by: input.by, split: input.split })
  }, '&by=model&tokens=generation&split=tokens')
  const table = await screen.findByRole('table', { name: 'Tokens by model' })
  expect(wordsOf(within(table).getAllByRole('row')[1] ?? table)).toContain('$20.00')
  expect(asked.at(-1)).toMatchObject({ by: 'model', split: 'tokens' })
})

test('counters that could not be read are said to be that, and nothing is shown as 0', async () => {
  await open(() => answer({ unread: 'The metrics engine is down.', total: null, groups: [] }))
  await shows('The metrics engine is down.')
  expect(screen.queryByRole('table')).toBeNull()
})
