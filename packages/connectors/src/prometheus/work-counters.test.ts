import { HOUR_MS, instant, type WorkQuery } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { serve } from '../http/serve.fixture.ts'
import { openPrometheus } from './open-prometheus.ts'

const FROM = Date.UTC(2026, 10, 2)
const window = { from: instant(FROM), to: instant(FROM + 3 * HOUR_MS) }
const vllm: WorkQuery = { workload: 'ml/Deployment/vllm', pods: ['vllm-a.1', 'vllm-b'], window }

/** An engine with these metrics, and what it was asked; it answers one value an hour, of the middle hour none. */
async function engine(names: readonly string[], answers: (query: string) => boolean = () => true) {
  const asked: string[] = []
  const url = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine')
    if (pathname.endsWith('/values')) return void response.end(JSON.stringify({ status: 'success', data: names }))
    const query = searchParams.get('query') ?? ''
    asked.push(query)
    const values = [1, 3].map((hour) => [FROM / 1000 + hour * 3600, String(hour * 10)])
    const result = answers(query) ? [{ metric: {}, values }] : []
    return void response.end(JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }))
  })
  return { asked, prometheus: openPrometheus({ url, retryAfterMs: [] }) }
}

test('tokens of a model server are counted hour by hour, by its pods; what nothing tells of is unknown and not 0', async () => {
  const { asked, prometheus } = await engine(['vllm:generation_tokens_total', 'istio_requests_total', 'up'])
  expect(await prometheus.work(vllm)).toEqual({
    unit: 'tokens',
    source: 'vllm:generation_tokens_total',
    byHour: [10, null, 30],
  })
  expect(asked).toEqual([
    String.raw`sum(increase(vllm:generation_tokens_total{namespace="ml",pod=~"vllm-a\\.1|vllm-b"}[3600s]))`,
  ])
})

test.each<[metric: string, rest: Partial<WorkQuery>, unit: string, ...parts: string[]]>([
  ['sglang:generation_tokens_total', {}, 'tokens', 'pod', 'vllm-b'],
  ['nv_inference_count', {}, 'inferences', 'pod', 'vllm-b'],
  ['revision_app_request_count', {}, 'requests', 'pod_name', 'namespace_name="ml"'],
  ['istio_requests_total', {}, 'requests', 'destination_workload="vllm"', 'reporter="destination"'],
  ['kube_job_status_succeeded', { workload: 'ml/CronJob/nightly' }, 'completions', 'nightly-[0-9]+', 'max_over_time'],
])('%s counts work too', async (...row) => {
  const [metric, rest, unit, ...parts] = row
  const { asked, prometheus } = await engine([metric])
  expect(await prometheus.work({ ...vllm, ...rest })).toMatchObject({ unit, source: metric })
  for (const part of parts) expect(asked[0]).toContain(part)
})

test('the next counter is asked where one knows nothing of the workload', async () => {
  const names = ['istio_requests_total', 'vllm:generation_tokens_total']
  const { prometheus } = await engine(names, (query) => query.includes('istio'))
  expect(await prometheus.work(vllm)).toMatchObject({ unit: 'requests' })
  expect(await prometheus.work({ ...vllm, source: 'vllm:generation_tokens_total' })).toBeUndefined()
})

test('no unit of work is known where nothing counts, or of more pods than can be asked for', async () => {
  const { asked, prometheus } = await engine(['up', 'kube_job_status_succeeded'])
  expect(await prometheus.work(vllm)).toBeUndefined()
  expect(await prometheus.work({ ...vllm, pods: Array.from({ length: 101 }, (_, pod) => `p${pod}`) })).toBeUndefined()
  expect(asked).toEqual([])
})

describe('what is counted while a change is watched', () => {
  const at = instant(FROM + 2 * HOUR_MS)
  /** An engine that answers each query by the first of these that it contains: counts of the 7 days before, and since. */
  async function counting(names: readonly string[], counts: Readonly<Record<string, readonly number[]>>) {
    const url = await serve((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine')
      if (pathname.endsWith('/values')) return void response.end(JSON.stringify({ status: 'success', data: names }))
      const query = searchParams.get('query') ?? ''
      const [, values = []] = Object.entries(counts).find(([part]) => query.includes(part)) ?? []
      const samples = values.map((count, day) => [at / 1000 - (values.length - 1 - day) * 86_400, String(count)])
      const result = samples.length > 0 && query.includes('[1800s]') ? [{ metric: {}, values: samples }] : []
      return void response.end(JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }))
    })
    return openPrometheus({ url, retryAfterMs: [] }).signs({ ...vllm, running: vllm.pods, at, seconds: 1800 })
  }
  const requests = [100, 100, 100, 100, 100, 100, 100, 80]

  test('is pace, restarts and errors, each beside the same time of the days before', async () => {
    const names = ['vllm:generation_tokens_total', 'kube_pod_container_status_restarts_total', 'istio_requests_total']
    const signs = await counting(names, {
      'vllm:': [7, 6, 5, 4, 3, 2, 1, 0],
      restarts: [0, 0, 1, 0, 0, 0, 0, 4],
      '5..': [1, 1, 1, 1, 1, 1, 1, 40],
      istio: requests,
    })
    expect(signs).toEqual({
      seconds: 1800,
      work: { unit: 'tokens', source: 'vllm:generation_tokens_total', since: 0, before: [7, 6, 5, 4, 3, 2, 1] },
      restarts: { since: 4, before: [0, 0, 1, 0, 0, 0, 0] },
      errors: {
        source: 'istio_requests_total',
        since: { failed: 40, all: 80 },
        before: Array.from({ length: 7 }, () => ({ failed: 1, all: 100 })),
      },
    })
  })

  test('is not an error where nothing has failed, and nothing where nothing is counted', async () => {
    const { errors, work } = await counting(['istio_requests_total'], { '5..': [], istio: requests })
    expect(work).toMatchObject({ unit: 'requests', since: 80 })
    expect(errors?.since).toEqual({ failed: 0, all: 80 })
    expect(await counting(['up'], {})).toEqual({ seconds: 1800 })
  })

  describe('of a counter that has gone silent', () => {
    const week = [7, 6, 5, 4, 3, 2, 1]
    /** An engine that knows the counter on the 7 days before alone, and other series of the pods in these stretches of 5 minutes. */
    async function silent({ others = 6, running = ['vllm-a.1'], failing = '' } = {}) {
      const asked: string[] = []
      const url = await serve((request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine')
        const names = ['vllm:generation_tokens_total', 'istio_requests_total']
        if (pathname.endsWith('/values')) return void response.end(JSON.stringify({ status: 'success', data: names }))
        const query = searchParams.get('query') ?? ''
        asked.push(query)
        if (failing !== '' && query.includes(failing)) return void response.writeHead(503).end()
        const days = week.map((count, day) => [at / 1000 - (7 - day) * 86_400, String(count)])
        const stretches = Array.from({ length: others }, (_, order) => [at / 1000 - order * 300, '12']).toReversed()
        const values = query.includes('present_over_time') ? stretches : query.includes('vllm:') ? days : []
        const result = values.length === 0 ? [] : [{ metric: {}, values }]
        return void response.end(JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }))
      })
      const signs = openPrometheus({ url, retryAfterMs: [] }).signs({ ...vllm, running, at, seconds: 1800 })
      return { asked, signs }
    }
    const gone = { unit: 'tokens', source: 'vllm:generation_tokens_total', before: week }

    test('it is told whether its pods were seen by other metrics all the while', async () => {
      const { asked, signs } = await silent()
      expect(await signs).toEqual({ seconds: 1800, silent: { ...gone, isSeen: true } })
      expect(asked).toContain(String.raw`count(present_over_time({namespace="ml",pod=~"vllm-a\\.1"}[300s]))`)
      expect(await (await silent({ others: 5 })).signs).toEqual({ seconds: 1800, silent: { ...gone, isSeen: false } })
    })
    test('nothing is told where none of its pods runs', async () => {
      expect(await (await silent({ running: [] })).signs).toEqual({ seconds: 1800 })
    })
    test('nobody is taken for silent whom the engine could not be asked about', async () => {
      await expect((await silent({ failing: 'vllm:' })).signs).rejects.toThrow(/./u)
      await expect((await silent({ failing: 'present_over_time' })).signs).rejects.toThrow(/./u)
    })
  })
})
