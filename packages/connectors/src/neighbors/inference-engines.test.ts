import { expect, describe, test } from 'vitest'
import { withCaches } from '@septet/domain'
import { serve } from '../http/serve.fixture.ts'
import { openPrometheus } from '../prometheus/open-prometheus.ts'
import { recorded, recordings } from './recorded.fixture.ts'

/** The series of a text, each by its name with the labels as they are written. */
const seriesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, labels = '', value = ''] = /^(?:\d+:)?([a-z_]+[a-z_:]*)(\{.*?\})? (\S+)$/u.exec(line) ?? []
      return name === undefined ? [] : [[`${name}${labels}`, Number(value)] as const]
    }),
  )

/** A metrics engine that scraped these texts, each of the pod of its name, and answers what it has of each metric's peak. */
async function engineOf(texts: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const scraped = Object.entries(texts).map(([pod, text]) => ({ pod, series: seriesIn(text) }))
  const url = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine')
    const tell = (data: unknown): void => void response.end(JSON.stringify({ status: 'success', data }))
    const names = scraped.flatMap(({ series }) => [...series.keys()].map((key) => key.split('{')[0]))
    if (pathname.endsWith('/values')) return tell([...new Set(names)])
    const query = searchParams.get('query') ?? ''
    asked.push(query)
    const [, name = '', label = ''] = /max_over_time\(([\w:]+)(?:\{(.*?)\})?\[7d\]/u.exec(query) ?? []
    const result = scraped.flatMap(({ pod, series }) =>
      [...series]
        .filter(([key]) => key.split('{')[0] === name && key.includes(label.replace(/,?cluster="a",?/u, '')))
        .map(([, value]) => ({ metric: { namespace: 'ml', pod }, value: [1_763_700_000, String(value)] })),
    )
    return tell({ resultType: 'vector', result })
  })
  return { asked, prometheus: openPrometheus({ url, retryAfterMs: [], matchers: 'cluster="a"' }) }
}

describe.skipIf(recordings === undefined)('recorded metrics of inference engines', () => {
  test('tell how full the reserved cache was: vLLM by its old name, SGLang, and TensorRT-LLM by its fraction', async () => {
    const { asked, prometheus } = await engineOf({
      qwen: recorded('inference-engines/vllm/aibrix-test-metrics-qwen.txt'),
      llama: recorded('inference-engines/sglang/production_metrics-sample.txt'),
      triton: recorded('inference-engines/triton/tensorrtllm-sample-metrics.txt'),
    })
    const caches = await prometheus.caches()
    expect(Object.fromEntries(caches)).toEqual({
      'ml/qwen': { engine: 'vLLM', peak: 0 },
      'ml/llama': { engine: 'SGLang', peak: 0.28 },
      'ml/triton': { engine: 'TensorRT-LLM', peak: 0.4875 },
    })
    expect(asked[0]).toBe('max by (namespace, pod) (max_over_time(vllm:gpu_cache_usage_perc{cluster="a"}[7d]))')
  })

  test('are read by vLLM’s new name as well, and where a collector writes _ for :', async () => {
    const now = recorded('inference-engines/vllm/aibrix-test-metrics-qwen.txt').replaceAll(
      'gpu_cache_usage',
      'kv_cache_usage',
    )
    expect(recorded('inference-engines/vllm/llm-d-sim-metrics.md')).toContain('vllm:kv_cache_usage_perc')
    const { prometheus } = await engineOf({ a: now, b: now.replaceAll('vllm:', 'vllm_') })
    expect([...(await prometheus.caches()).keys()]).toEqual(['ml/a', 'ml/b'])
  })

  test('make nothing known of work without an engine', async () => {
    const { prometheus } = await engineOf({ a: 'up 1' })
    expect(withCaches([], await prometheus.caches())).toEqual([])
  })
})
