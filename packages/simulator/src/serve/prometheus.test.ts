import { DAY_MS, HOUR_MS } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { podNameOf } from '../model/timeline.ts'
import { createWorld } from '../model/world.ts'
import { answerPrometheus } from './prometheus.ts'
import { promqlDuration, parseQuery } from './promql.ts'

type Result = {
  readonly metric: Record<string, string>
  readonly values: [number, string][]
  readonly value: [number, string]
}
type Body = { status: string; error?: string; data: { resultType: string; result: Result[] } }

const NOW = Date.UTC(2026, 10, 18, 14)
const world = createWorld({ seed: 7, scale: 'small' })
const ask = (path: string, parameters: Record<string, string> = {}): { code: number; body: Body } => {
  const { code, body } = answerPrometheus(world, { path, parameters: new URLSearchParams(parameters) }, NOW)
  return { code, body: body as Body }
}
const range = (query: string, days: number, step: string): Result[] => {
  const { code, body } = ask('query_range', {
    query,
    start: String((NOW - Math.round(days * 24) * HOUR_MS) / 1000),
    end: String(NOW / 1000),
    step,
  })
  expect(body.error).toBeUndefined()
  expect(code).toBe(200)
  return body.data.result
}
const keyOf = ({ metric }: Result): string => `${metric['UUID']} ${metric['GPU_I_ID']} ${metric['pod']}`
const BUSY = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'

const tokens = (namespace: string, pods: readonly string[], days = 1) =>
  range(
    `sum(increase(vllm:generation_tokens_total{namespace="${namespace}",pod=~"${pods.join('|')}"}[3600s]))`,
    days,
    '1h',
  )

const byPod = (name: string) =>
  range(`sum by (namespace, pod, model_name, model) (increase(vllm:${name}[3600000ms]))`, 1, '1h')

describe('tokens of model servers', () => {
  const served = world.slots
    .filter(({ role }) => role === 'inference')
    .flatMap((slot) =>
      world
        .occupancies(slot, { from: NOW - HOUR_MS, to: NOW })
        .filter(({ start, end }) => start < NOW - HOUR_MS && end > NOW),
    )
  test('are counted by the hour, and of nobody there is no series', () => {
    const [one] = served
    if (one === undefined) throw new Error('nothing serves')
    const pods = one.slot.seats.map((_, index) => podNameOf(one, index))
    const [found] = tokens(one.namespace, pods)
    expect(found?.values.length).toBeGreaterThan(0)
    for (const [, value] of found?.values ?? []) expect(Number(value)).toBeLessThanOrEqual(pods.length * 3600 * 1200)
    expect(found?.values.some(([, value]) => Number(value) > 0)).toBe(true)
    expect(tokens(one.namespace, ['nobody'])).toEqual([])
    expect(tokens('another', pods)).toEqual([])
  })
  test('are told of every pod with its model, read and written; a pod counts the same however it is asked for', () => {
    const [written, read] = [byPod('generation_tokens_total'), byPod('prompt_tokens_total')]
    expect(written.length).toBeGreaterThan(10)
    expect(read.map(({ metric }) => metric)).toEqual(written.map(({ metric }) => metric))
    for (const { metric, values } of written) {
      const { namespace = '', pod = '', model_name } = metric
      expect(model_name).toMatch(/^[\w.-]+\/[\w.-]+$/u)
      expect(tokens(namespace, [pod])[0]?.values).toEqual(values)
    }
  })
})

describe('the query language', () => {
  test('reads selectors and the three functions', () => {
    expect(parseQuery(BUSY)).toMatchObject({ name: BUSY, matchers: [], over: undefined })
    expect(parseQuery(`max_over_time(${BUSY}{gpu="0",Hostname=~"a|b"}[1h30m])`)).toMatchObject({
      name: BUSY,
      over: { function: 'max_over_time', milliseconds: 5_400_000 },
    })
    const parsed = parseQuery('{__name__=~"DCGM_.*",pod!="",label!~\'x\\\\.y\'}')
    if (typeof parsed === 'string') throw new Error(parsed)
    expect(parsed.matchers.map(({ label }) => label)).toEqual(['__name__', 'pod', 'label'])
    expect(parsed.matchers[0]?.accepts('DCGM_FI')).toBe(true)
    expect(parsed.matchers[0]?.accepts('xDCGM_FI')).toBe(false)
    expect(parsed.matchers[2]?.accepts('x.y')).toBe(false)
  })

  test.each(['', '{}', 'sum(up)', 'up{', 'rate(up[5m])', 'up{a=~"("}', 'up{a="b" c="d"}'])(
    'refuses %j with a sentence',
    (query) => {
      const { code, body } = ask('query', { query })
      expect(code).toBe(400)
      expect(body).toMatchObject({ status: 'error', errorType: 'bad_data' })
      expect(body.error?.length).toBeGreaterThan(5)
    },
  )

  test('reads durations', () => {
    expect([promqlDuration('5m'), promqlDuration('1h'), promqlDuration('1d'), promqlDuration('90')]).toEqual([
      300_000,
      HOUR_MS,
      DAY_MS,
      90_000,
    ])
    expect(promqlDuration('five')).toBeNaN()
  })
})

const over = (selector: string, offset = ''): string => `avg_over_time(${selector}[299s]${offset})`
const idleSlots = (mean: string, before: string): string => {
  const stretch = `sum_over_time((1 - 1000 * ((${mean} or ${before}) > bool 0.05))[29m:5m]) >= 6`
  return `(${mean} <= 0.05 and max_over_time((${stretch} and ${mean})[34m:5m] offset -30m))`
}

describe('history', () => {
  test('has a series per device and holder, and every hour accounted for', () => {
    const counts = range(`count_over_time(${BUSY}[1h])`, 2, '1h')
    const perDevice = new Map<string, number>()
    for (const { metric, values } of counts) {
      const device = `${metric['UUID']} ${metric['GPU_I_ID']}`
      for (const [at, count] of values)
        perDevice.set(`${device} ${at}`, (perDevice.get(`${device} ${at}`) ?? 0) + Number(count))
    }
    expect(perDevice.size).toBeGreaterThan(200 * 49)
    expect([...perDevice].filter(([, count]) => count !== 120)).toEqual([])
    expect(counts.some(({ metric }) => metric['pod'] !== undefined)).toBe(true)
    expect(counts.some(({ metric }) => metric['pod'] === undefined)).toBe(true)
  })

  test('a day’s mean is the mean of its hours, and no peak is below a mean', () => {
    const query = `{Hostname="gpu-h100-07"}`
    const days = range(`avg_over_time(${BUSY}${query}[1d])`, 0, '1d')
    const hours = new Map(range(`avg_over_time(${BUSY}${query}[1h])`, 23 / 24, '1h').map((each) => [keyOf(each), each]))
    const counts = new Map(
      range(`count_over_time(${BUSY}${query}[1h])`, 23 / 24, '1h').map((each) => [keyOf(each), each]),
    )
    const peaks = new Map(range(`max_over_time(${BUSY}${query}[1d])`, 0, '1d').map((each) => [keyOf(each), each]))
    expect(days.length).toBeGreaterThan(5)
    for (const day of days) {
      const parts = hours.get(keyOf(day))?.values ?? []
      const weights = counts.get(keyOf(day))?.values ?? []
      const total = weights.reduce((sum, [, count]) => sum + Number(count), 0)
      const mean = parts.reduce((sum, [, value], index) => sum + Number(value) * Number(weights[index]?.[1]), 0) / total
      expect(Number(day.values[0]?.[1])).toBeCloseTo(mean, 4)
      expect(Number(peaks.get(keyOf(day))?.values[0]?.[1])).toBeGreaterThanOrEqual(Number(day.values[0]?.[1]) - 1e-6)
    }
  })

  test('reaches 200 days back, and never into the future', () => {
    const past = range(`max_over_time(DCGM_FI_DEV_FB_USED{Hostname="gpu-l40s-01"}[1d])`, 200, '1d')
    const first = Math.min(...past.flatMap(({ values }) => values.map(([at]) => at)))
    expect(first).toBe((NOW - 200 * DAY_MS) / 1000)
    const { body } = ask('query_range', {
      query: BUSY,
      start: String(NOW / 1000),
      end: String((NOW + HOUR_MS) / 1000),
      step: '5m',
    })
    for (const { values } of body.data.result) expect(values).toHaveLength(1)
  })

  test('slots of five minutes in which a counter is stuck are counted, and not idle', () => {
    const [on, util] = [`${BUSY}{Hostname="gpu-a100-02"}`, 'DCGM_FI_DEV_GPU_UTIL{Hostname="gpu-a100-02"}']
    const stuckIn = (offset = '') => `${over(on, offset)} == 0 and ${over(util, offset)} >= 5`
    const unlessStuck = (offset = '') => `(${over(on, offset)} unless (${stuckIn(offset)}))`
    const counted = (slots: string): number =>
      range(`count_over_time(${slots}[1439m:5m])`, 3, '1d')
        .flatMap(({ values }) => values)
        .reduce((sum, [, count]) => sum + Number(count), 0)
    const works = range(over(util), 4, '5m').flatMap(({ values }) =>
      values.filter(([at, mean]) => Number(mean) >= 5 && at * 1000 > NOW - 4 * DAY_MS),
    )
    expect(works.length).toBeGreaterThan(1000)
    expect(counted(`(${stuckIn()})`)).toBe(works.length)
    const all = counted(idleSlots(over(on), over(on, ' offset 5m')))
    const believed = counted(idleSlots(unlessStuck(), unlessStuck(' offset 5m')))
    expect(believed).toBeGreaterThan(0)
    expect(believed).toBeLessThanOrEqual(all - works.length)
  })

  test('idle time of a day is that of its slots of five minutes, in stretches of half an hour', () => {
    const on = `${BUSY}{Hostname=~"gpu-h100-0[1-4]|gpu-l40s-0."}`
    const slots = idleSlots(over(on), over(on, ' offset 5m'))
    const days = range(`count_over_time(${slots}[1439m:5m])`, 3, '1d')
    expect(days.length).toBeGreaterThan(10)
    const means = new Map(range(`avg_over_time(${on}[299s])`, 4, '5m').map((each) => [keyOf(each), each.values]))
    for (const day of days) {
      const idle = new Set((means.get(keyOf(day)) ?? []).flatMap(([at, busy]) => (Number(busy) <= 0.05 ? [at] : [])))
      for (const [end, count] of day.values) {
        if (end * 1000 > NOW - HOUR_MS) continue
        const inside = [...idle].filter((at) => at > end - 86_400 && at <= end)
        const run = (at: number, step: number): number => (idle.has(at) ? 1 + run(at + step, step) : 0)
        expect(Number(count)).toBe(inside.filter((at) => run(at, 300) + run(at, -300) > 6).length)
      }
    }
  })

  test('counters that are stuck stay at zero in the past too, and silent exporters have no past', () => {
    const stuck = range(`max_over_time(${BUSY}{Hostname="gpu-a100-02"}[1d])`, 30, '1d')
    expect(stuck.flatMap(({ values }) => values).every(([, value]) => value === '0')).toBe(true)
    const used = range('max_over_time(DCGM_FI_DEV_GPU_UTIL{Hostname="gpu-a100-02"}[1d])', 30, '1d')
    expect(used.flatMap(({ values }) => values).some(([, value]) => Number(value) > 20)).toBe(true)
    expect(range(`avg_over_time(${BUSY}{Hostname="gpu-t4-10"}[1d])`, 30, '1d')).toEqual([])
  })
})

describe('the API', () => {
  test('instant queries tell the newest sample, by any label', () => {
    const { body } = ask('query', {
      query: `{__name__=~"${BUSY}|DCGM_FI_DEV_POWER_USAGE",UUID!="",namespace="ml-platform"}`,
    })
    expect(body.data.resultType).toBe('vector')
    expect(new Set(body.data.result.map(({ metric }) => metric['__name__'])).size).toBe(2)
    for (const { metric, value } of body.data.result) {
      expect(metric['namespace']).toBe('ml-platform')
      expect(value[0]).toBe(NOW / 1000)
    }
  })

  test('names, limits and unknown paths', () => {
    expect(ask('label/__name__/values').body.data).toContain(BUSY)
    expect(ask('labels').body.data).toContain('GPU_I_PROFILE')
    expect(ask('status/buildinfo').body.status).toBe('success')
    expect(ask('rules').code).toBe(404)
    const many = ask('query_range', { query: BUSY, start: '0', end: String(NOW / 1000), step: '1m' })
    expect(many.code).toBe(400)
    expect(many.body.error).toContain('11,000 points')
    expect(ask('query_range', { query: BUSY, start: 'x', end: '1', step: '1m' }).code).toBe(400)
    const doubled = ask('query', { query: 'avg_over_time({__name__=~"DCGM_FI_DEV_FB_.*"}[5m])' })
    expect(doubled.code).toBe(422)
  })
})
