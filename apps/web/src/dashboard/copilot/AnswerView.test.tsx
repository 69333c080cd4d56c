import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'

import { AnswerView } from './AnswerView.tsx'
import { answerFixture } from './answer.fixture.ts'
import { exampleQuestions } from './Conversation.tsx'
import { turnsOf } from './use-conversation.ts'
import { pageLink } from './use-page-link.ts'

const markup = (more: Parameters<typeof answerFixture>[0] = {}): string =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={['/?cluster=demo']}>
      <AnswerView answer={answerFixture(more)} number={1} ask={() => undefined} />
    </MemoryRouter>,
  )
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()

describe('an answer of the co-pilot', () => {
  test('says its sentences with the numbers of their evidence, and where that is', () => {
    const html = markup()
    expect(textOf(html)).toMatch(/^vllm-7 waits for a 3g\.40gb\. 1 No node has one free\. 2 3 /u)
    expect(html).toContain('href="/workloads?workload=ml%2Fvllm-7&amp;cluster=demo"')
    expect(html).toContain('<code class="min-w-0 py-1 font-mono text-12 wrap-anywhere text-ink-soft">/api/v1/waits')
  })

  test('shows what the server filled in as chips with their labels, and quotes what the cluster says', () => {
    const parts = [
      { text: '“ml/vllm-7”', about: 'name in workloads', cite: 1 },
      { text: ' has ' },
      { text: '$3', about: 'idle cost of “ml/vllm-7”', cite: 2 },
      { text: '.' },
    ]
    const whole = [{ text: 'No node has one free.', cite: 3 }]
    const html = markup({
      sentences: [
        { text: 'In words.', cites: [1, 2], parts },
        { text: 'No node has one free.', cites: [3], parts: whole },
      ],
    })
    expect(textOf(html)).toMatch(
      /^“ml\/vllm-7” name in workloads has \$3 idle cost of “ml\/vllm-7” \. No node has one free\. 3 /u,
    )
    expect(html.match(/<button type="button" class="inline /gu)).toHaveLength(2)
  })

  test('shows rows with links, and how many more there are', () => {
    const html = markup()
    expect(textOf(html)).toContain('Waiting Copy CSV Workload Wait')
    expect(textOf(html)).toContain('40 more are not shown here.')
  })

  test('draws GPUs to scale, and says of a chart without a value that nothing was measured', () => {
    const html = markup()
    expect(html).toContain('role="img"')
    expect(textOf(html)).toContain('Busy: not measured.')
  })

  test('says which engine answered, and what was left out', () => {
    expect(textOf(markup())).toContain('Without a language model,')
    const model = { engine: { kind: 'model' as const, name: 'qwen3:8b' } }
    expect(textOf(markup({ ...model, dropped: 2, droppedBecause: ['it cites nothing', 'it mixes rows'] }))).toContain(
      '2 sentences of the model were left out, for saying more than they cite: it cites nothing; it mixes rows. Answered by the model qwen3:8b',
    )
    expect(textOf(markup({ ...model, dropped: 1 }))).toContain('left out, for saying more than it cites. Answered')
    const incomplete = 'The answer may be incomplete: the model broke off.'
    expect(textOf(markup({ engine: { ...model.engine, because: incomplete } }))).toContain(incomplete)
  })

  test('says that it cannot, with the nearest questions', () => {
    const text = textOf(markup({ verdict: 'cannot' }))
    expect(text).toMatch(/^Cannot answer this/u)
    expect(text).toContain('What I can answer Where is a 3g.40gb free?')
  })

  test('says that it changes nothing', () => expect(textOf(markup({ verdict: 'refused' }))).toMatch(/^Not done/u))
})

describe('a page of an answer', () => {
  test('opens within the dashboard or its demo, in the cluster it is about', () => {
    expect(pageLink('/dashboard/cost?by=team', 'demo')).toEqual({ pathname: '/cost', search: 'by=team&cluster=demo' })
    expect(pageLink('/dashboard?cluster=b', 'demo')).toEqual({ pathname: '/', search: 'cluster=b' })
  })

  test('is never one of another site', () => {
    expect(pageLink('//elsewhere.example/x', null).pathname).toBe('/elsewhere.example/x')
    expect(pageLink('https://elsewhere.example', null).pathname).toBe('/https://elsewhere.example')
  })
})

const turn = (id: string, more = {}) => ({
  id,
  question: 'And last week?',
  answer: answerFixture({ id }),
  failure: undefined,
  said: [],
  ...more,
})

describe('the conversation', () => {
  test('shows an answer once that the server has kept meanwhile, oldest first', () => {
    const [kept, older] = [answerFixture({ id: 'kept' }), answerFixture({ id: 'older' })]
    const ids = turnsOf([answerFixture({ id: 'new' }), kept, older], [turn('new')]).map(({ id }) => id)
    expect(ids).toEqual(['older', 'kept', 'new'])
  })

  test('begins with questions for the screen it stands on', () => {
    expect(exampleQuestions('/cost')).not.toEqual(exampleQuestions('/'))
    expect(exampleQuestions('/settings/account')).toEqual(exampleQuestions('/'))
  })
})
