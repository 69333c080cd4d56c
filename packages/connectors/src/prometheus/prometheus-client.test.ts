import type { IncomingMessage } from 'node:http'

import { DEFAULT_POLICY, instant } from '@septet/domain'
import { describe, expect, it } from 'vitest'

import { serve, servers } from '../http/serve.fixture.ts'
import { signAws } from '../http/sign-aws.ts'
import { openPrometheus } from './open-prometheus.ts'
import type { PrometheusOptions } from './prometheus-client.ts'
import { splitRange } from './prometheus-client.ts'

const { idle } = DEFAULT_POLICY

const open = (url: string, more: Partial<PrometheusOptions> = {}) =>
  openPrometheus({ url, retryAfterMs: [5, 5], ...more })
async function all<T>(batches: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const batch of batches) found.push(batch)
  return found
}
const vector = (result: unknown[]) => JSON.stringify({ status: 'success', data: { resultType: 'vector', result } })
const failed = (errorType: string, error: string) => JSON.stringify({ status: 'error', errorType, error })

describe('what is sent', () => {
  it.each<[string, Partial<PrometheusOptions>, Record<string, string>]>([
    ['a bearer token', { bearerToken: 'abc' }, { authorization: 'Bearer abc' }],
    ['user and password', { basic: { username: 'u', password: 'p' } }, { authorization: `Basic ${btoa('u:p')}` }],
    ['a tenant', { tenant: 'team-a' }, { 'x-scope-orgid': 'team-a' }],
    ['headers of one’s own', { headers: { 'x-mine': '1' } }, { 'x-mine': '1' }],
  ])('%s', async (_, options, expected) => {
    let seen: IncomingMessage['headers'] = {}
    const url = await serve((request, response) => {
      seen = request.headers
      response.end(vector([]))
    })
    await open(url, options).instant('up')
    expect(seen).toMatchObject(expected)
  })

  it('a signature for AWS, of the very query that is sent', async () => {
    let seen = { path: '', headers: {} as IncomingMessage['headers'] }
    const url = await serve((request, response) => {
      seen = { path: request.url ?? '', headers: request.headers }
      response.end(vector([]))
    })
    const aws = { region: 'eu-west-1', keyId: 'AKIDEXAMPLE', secret: 'hush' }
    const at = Date.UTC(2026, 0, 15, 10)
    await open(`${url}/workspaces/ws-1`, { aws, clock: () => at }).instant('a{b="c d"}', { at: 1500 })
    expect(seen.path).toBe('/workspaces/ws-1/api/v1/query?query=a%7Bb%3D%22c%20d%22%7D&time=1.5')
    const signed = signAws(`${url}${seen.path}`, { ...aws, service: 'aps' }, at)
    expect(seen.headers).toMatchObject(signed.headers)
    expect(seen.headers['x-amz-date']).toBe('20260115T100000Z')
  })

  it('no more than the limits of the engine allow, and says so', async () => {
    let now = 0
    const url = await serve((_, response) => {
      now += 6000
      response.end(vector([]))
    })
    const client = open(url, { limits: { secondsPerMinute: 10 }, clock: () => now })
    await client.instant('up')
    await client.instant('up')
    await expect(client.read()).rejects.toMatchObject({
      code: 'budget',
      message: expect.stringContaining('are used up'),
    })
  })

  it('keeps the path prefix of the address, and shows no password', async () => {
    let path = ''
    const url = await serve((request, response) => {
      path = request.url ?? ''
      response.end(vector([]))
    })
    const client = open(`${url.replace('//', '//user:secret@')}/prometheus/`)
    await client.instant('a{b="c d"}', { at: 1500 })
    expect(path).toBe('/prometheus/api/v1/query?query=a%7Bb%3D%22c+d%22%7D&time=1.5')
    expect(client.name).toBe(`${url}/prometheus`)
  })
})

const answering = (status: number, body: string, headers = {}) =>
  serve((_, response) => response.writeHead(status, headers).end(body))

describe('answers that are none', () => {
  it('are not waited for at a metadata service: nothing is sent there', async () => {
    for (const url of ['http://169.254.169.254/prometheus', 'http://[fd00:c1::a9fe:a9fe]:9090'])
      await expect(open(url).instant('up', { at: 0 })).rejects.toThrow(
        /cannot be reached: .*Septet sends nothing there/u,
      )
  })

  it.each<[string, number, string, string, RegExp]>([
    ['no right to ask', 401, '', 'unauthorized', /asks for a sign-in/],
    ['a forbidden tenant', 403, failed('', 'no org id'), 'forbidden', /tenant is wrong/],
    ['a login page', 302, '', 'redirected', /redirects to elsewhere/],
    ['a web page', 200, '<html>', 'not-understood', /not Prometheus/],
    ['JSON of another kind', 200, '{"hello":1}', 'not-understood', /not Prometheus/],
    [
      'an answer without series',
      200,
      '{"status":"success","data":{"resultType":"vector"}}',
      'not-understood',
      /does not respond like Prometheus/,
    ],
    ['a wrong query', 400, failed('bad_data', 'parse error'), 'rejected', /rejects a query.*parse error/],
    [
      'too many samples',
      422,
      failed('execution', 'query processing would load too many samples into memory in query execution'),
      'limit',
      /as too big/,
    ],
    [
      'too many points',
      400,
      failed('bad_data', 'exceeded maximum resolution of 11,000 points per timeseries'),
      'limit',
      /as too big/,
    ],
    [
      'a query that took too long',
      503,
      failed('timeout', 'query timed out in expression evaluation'),
      'limit',
      /gave the query up/,
    ],
    ['no such path', 404, 'not found', 'rejected', /status 404/],
  ])('%s', async (...row) => {
    const [, status, body, code, sentence] = row
    const url = await answering(status, body)
    await expect(open(url).instant('up')).rejects.toMatchObject({
      code,
      message: expect.stringMatching(sentence) as string,
    })
  })

  it('nothing listens', async () => {
    const url = await serve(() => undefined)
    const gone = servers.pop()
    await new Promise((resolve) => gone?.close(resolve))
    await expect(open(url).read()).rejects.toThrow(/cannot be reached: nothing listens there/)
  })

  it('slow', async () => {
    const url = await serve(() => undefined)
    await expect(open(url, { timeoutMs: 50 }).instant('up')).rejects.toMatchObject({ code: 'timeout' })
  })

  it('huge', async () => {
    const url = await answering(200, vector(Array.from({ length: 10_000 }, () => ({ metric: {}, value: [1, '1'] }))))
    await expect(open(url, { maximumBytes: 1000 }).instant('up')).rejects.toMatchObject({ code: 'too-large' })
  })

  it.each(['NaN', '+Inf', '-Inf'])('%s is a value', async (value) => {
    const url = await answering(200, vector([{ metric: { a: 'b' }, value: [1, value] }]))
    const [series] = await open(url).instant('up')
    expect(series?.samples[0]?.value).toBe(Number(value.replace('Inf', 'Infinity')))
  })
})

describe('trouble that passes', () => {
  it.each([500, 502, 503, 429])('%i is asked again', async (status) => {
    let calls = 0
    const url = await serve((_, response) => {
      calls += 1
      if (calls < 3) response.writeHead(status).end()
      else response.end(vector([]))
    })
    await open(url).instant('up')
    expect(calls).toBe(3)
  })

  it('is given up in the end; what does not pass is not asked again', async () => {
    let calls = 0
    let status = 503
    const url = await serve((_, response) => {
      calls += 1
      response.writeHead(status).end()
    })
    await expect(open(url).instant('up')).rejects.toMatchObject({ code: 'server-error' })
    expect(calls).toBe(3)
    status = 401
    await expect(open(url).instant('up')).rejects.toMatchObject({ code: 'unauthorized' })
    expect(calls).toBe(4)
  })
})

/** An engine with one GPU that refuses more than so many points at once. */
async function engine(mostPoints: number) {
  const asked: string[] = []
  const url = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine')
    if (pathname.endsWith('/values')) {
      return response.end(JSON.stringify({ status: 'success', data: ['DCGM_FI_PROF_GR_ENGINE_ACTIVE', 'up'] }))
    }
    const [start, end, step] = ['start', 'end', 'step'].map((name) => Number(searchParams.get(name)))
    const points = ((end ?? 0) - (start ?? 0)) / (step ?? 1) + 1
    const query = searchParams.get('query') ?? ''
    asked.push(`${query} ${points}`)
    if (points > mostPoints) return response.writeHead(422).end(failed('execution', 'too many samples'))
    const value = query.startsWith('count') ? '120' : '0.5'
    const values = Array.from({ length: points }, (_, index) => [(start ?? 0) + index * (step ?? 1), value])
    const metric = { UUID: 'GPU-a', gpu: '0', Hostname: 'n', modelName: 'Tesla T4' }
    return response.end(
      JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: [{ metric, values }] } }),
    )
  })
  return { url, asked }
}

describe('history', () => {
  const window = { from: instant(0), to: instant(5 * 3_600_000) }

  it.each([100, 3, 1])('with at most %i points at once gives every bucket once, newest first', async (most) => {
    const { url } = await engine(most)
    const batches: number[][] = []
    for await (const batch of open(url).history({ window, span: '1h', idle }))
      batches.push(batch.usage.map((row) => row.at / 3_600_000))
    expect(batches.flat()).toEqual([4, 3, 2, 1, 0])
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(most)
  })

  it('asks only for spellings that are there, and in the agreed form', async () => {
    const { url, asked } = await engine(100)
    for await (const { usage: rows } of open(url).history({ window, span: '1h', idle })) expect(rows.length).toBe(5)
    expect(asked).toEqual([
      'count_over_time(DCGM_FI_PROF_GR_ENGINE_ACTIVE[5m]) 1',
      'avg_over_time(DCGM_FI_PROF_GR_ENGINE_ACTIVE[1h]) 5',
      'max_over_time(DCGM_FI_PROF_GR_ENGINE_ACTIVE[1h]) 5',
      'count_over_time(DCGM_FI_PROF_GR_ENGINE_ACTIVE[1h]) 5',
      'count_over_time(count_over_time(DCGM_FI_PROF_GR_ENGINE_ACTIVE[299s])[59m:5m]) 5',
      expect.stringMatching(/> bool 0\.05\)\)\[29m:5m\]\) >= 6 .*\[34m:5m\] offset -30m/u),
    ])
  })

  it('that is refused whatever the size says so', async () => {
    const { url } = await engine(0)
    const reading = open(url).history({ window, span: '1h', idle })
    await expect(all(reading)).rejects.toMatchObject({ code: 'limit' })
  })

  it('ends quietly when it is canceled, by either signal or by closing', async () => {
    const { url } = await engine(1)
    const client = open(url)
    const signal = { aborted: false }
    let batches = 0
    for await (const { usage: rows } of client.history({ window, span: '1h', idle, signal })) {
      batches += rows.length
      signal.aborted = true
    }
    expect(batches).toBe(1)
    const hanging = open(await serve(() => undefined))
    const read = all(hanging.history({ window, span: '1h', idle }))
    setTimeout(() => void hanging.close(), 20)
    expect(await read).toEqual([])
  })

  it('before telemetry began is empty, and no failure', async () => {
    const url = await serve((_, response) => response.end('{"status":"success","data":["up"]}'))
    expect(await all(open(url).history({ window, span: '1h', idle }))).toEqual([])
  })
})

it('a range is cut on its own grid', () => {
  expect(splitRange({ from: 0, to: 100, stepMs: 10 }, 4)).toEqual([
    { from: 0, to: 30, stepMs: 10 },
    { from: 40, to: 70, stepMs: 10 },
    { from: 80, to: 100, stepMs: 10 },
  ])
  expect(splitRange({ from: 5, to: 5, stepMs: 10 }, 4)).toEqual([{ from: 5, to: 5, stepMs: 10 }])
})
