import { DAY_MS, HOUR_MS, instant, type Window } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { serve } from '../http/serve.fixture.ts'
import { openPrometheus } from './open-prometheus.ts'

const TO = Date.UTC(2026, 10, 2)
const lasting = (ms: number): Window => ({ from: instant(TO - ms), to: instant(TO) })

type Found = { readonly metric: Record<string, string>; readonly at: readonly number[]; readonly each: number }

/** An engine with these metrics; of each it answers series with one value at each of some of the steps that it is asked for. */
async function engine(series: Readonly<Record<string, readonly Found[] | 'too many samples'>>, matchers?: string) {
  const asked: { query: string; start: number; end: number; step: number }[] = []
  const url = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine')
    const tell = (data: unknown): void => void response.end(JSON.stringify({ status: 'success', data }))
    if (pathname.endsWith('/values')) return tell(Object.keys(series))
    const query = searchParams.get('query') ?? ''
    const number = (name: string): number => Number(searchParams.get(name))
    const times = { start: number('start'), end: number('end'), step: number('step') }
    asked.push({ query, ...times })
    const [, found] = Object.entries(series).find(([name]) => new RegExp(`\\(${name}[[{]`, 'u').test(query)) ?? []
    if (found === 'too many samples') {
      response.statusCode = 422
      const error = 'query processing would load too many samples into memory in query execution'
      return void response.end(JSON.stringify({ status: 'error', errorType: 'execution', error }))
    }
    const result = (found ?? []).map(({ metric, at, each }) => ({
      metric,
      values: at.map((step) => [times.start + step * times.step, String(each)]),
    }))
    return tell({ resultType: 'matrix', result })
  })
  return {
    asked,
    prometheus: openPrometheus({ url, retryAfterMs: [], ...(matchers === undefined ? {} : { matchers }) }),
  }
}

const chat = { namespace: 'ml', pod: 'chat-1', model_name: 'llama' }
const of = (metric: Record<string, string>, each = 10, at: readonly number[] = [0, 1]): Found => ({ metric, each, at })

test('tokens are added up over the steps of the window, by pod and model, and what counted when is told', async () => {
  const { asked, prometheus } = await engine(
    { 'vllm:prompt_tokens_total': [of(chat, 30, [0, 2])], 'vllm:generation_tokens_total': [of(chat, 10.4, [2, 3])] },
    'cluster="a"',
  )
  expect(await prometheus.tokens(lasting(24 * HOUR_MS))).toEqual({
    window: lasting(24 * HOUR_MS),
    steps: 24,
    counts: [{ pod: 'ml/chat-1', model: 'llama', engine: 'vLLM', prompt: 60, generation: 21, steps: [0, 2, 3] }],
    refused: [],
  })
  expect(asked[0]?.query).toBe(
    'sum by (namespace, pod, model_name, model) (increase(vllm:prompt_tokens_total{cluster="a"}[3600000ms]))',
  )
})

test.each([
  ['1h', HOUR_MS],
  ['a bit over a day', 25.3 * HOUR_MS],
  ['a minute', 60_000],
  ['a month', 30 * DAY_MS],
])('the steps of %s fill it: none is left out, none begins before it by more than a second', async (_, ms) => {
  const { asked, prometheus } = await engine({ 'vllm:prompt_tokens_total': [] })
  const { steps } = await prometheus.tokens(lasting(ms))
  const [{ start, end, step, query } = { start: 0, end: 0, step: 0, query: '' }] = asked
  expect(end).toBe(TO / 1000)
  expect(Math.floor((end - start) / step + 1e-6) + 1).toBe(steps)
  expect(query).toContain(`[${Math.round(step * 1000)}ms]`)
  expect((TO - ms) / 1000 - (start - step)).toBeGreaterThanOrEqual(-1e-6)
  expect((TO - ms) / 1000 - (start - step)).toBeLessThan(1)
})

test.each([
  ['vLLM', 'vllm:prompt_tokens_total', 'vllm:generation_tokens_total', chat],
  ['vLLM', 'vllm_prompt_tokens_total', 'vllm_generation_tokens_total', chat],
  ['SGLang', 'sglang:prompt_tokens_total', 'sglang:generation_tokens_total', chat],
  ['TensorRT-LLM', 'trtllm_prompt_tokens_total', 'trtllm_generation_tokens_total', chat],
  ['TensorRT-LLM', 'nv_llm_input_token_len_sum', 'nv_llm_output_token_len_sum', { ...chat, model: 'llama' }],
  ['NIM', 'prompt_tokens_total', 'generation_tokens_total', chat],
])('%s counts by %s and %s', async (...row) => {
  const [name, prompt, generation, { model_name, ...labels }] = row
  const metric = 'model' in labels ? labels : { ...labels, model_name }
  const { prometheus } = await engine({ [prompt]: [of(metric, 3)], [generation]: [of(metric, 1)] })
  expect((await prometheus.tokens(lasting(HOUR_MS))).counts).toEqual([
    { pod: 'ml/chat-1', model: 'llama', engine: name, prompt: 6, generation: 2, steps: [0, 1] },
  ])
})

const counts = async (...args: Parameters<typeof engine>) =>
  (await (await engine(...args)).prometheus.tokens(lasting(HOUR_MS))).counts

describe('nothing is counted twice, guessed, or 0 for unknown', () => {
  test('a pod that is scraped under two names counts once', async () => {
    const names = { 'vllm:prompt_tokens_total': [of(chat)], vllm_prompt_tokens_total: [of(chat)] }
    expect(await counts(names)).toMatchObject([{ prompt: 20 }])
  })
  test('a counter without samples is unknown', async () => {
    const names = { 'vllm:prompt_tokens_total': [of(chat)], 'vllm:generation_tokens_total': [of(chat, NaN)] }
    expect(await counts(names)).toMatchObject([{ prompt: 20, generation: undefined }])
  })
  test('a counter that stood still is 0', async () => {
    expect(await counts({ 'vllm:generation_tokens_total': [of(chat, 0)] })).toMatchObject([
      { generation: 0, steps: [0, 1] },
    ])
  })
  test('a scrape that names no pod is kept under none', async () => {
    expect(await counts({ 'vllm:prompt_tokens_total': [of({ model_name: 'llama' })] })).toMatchObject([{ pod: '/' }])
  })
  test('a counter that the engine would not add up is named', async () => {
    const { prometheus } = await engine({
      'vllm:prompt_tokens_total': 'too many samples',
      'vllm:generation_tokens_total': [of(chat)],
    })
    expect(await prometheus.tokens(lasting(HOUR_MS))).toMatchObject({
      counts: [{ prompt: undefined, generation: 20 }],
      refused: ['vllm:prompt_tokens_total'],
    })
  })
  test('an engine that does not answer is no engine without tokens', async () => {
    const url = await serve((_, response) => void response.writeHead(503).end())
    await expect(openPrometheus({ url, retryAfterMs: [] }).tokens(lasting(HOUR_MS))).rejects.toThrow(/./u)
  })
})
