import { REPORT_FILES } from '@septet/contract'
import { QUICK_RANGE_MS } from '@septet/domain'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { ask, ProblemError, tell } from './api.ts'
import { RANGE_WORDS } from './dashboard/address/range-choice.ts'
import { REPORT_FILE_NAMES } from './dashboard/report/report-files.ts'

afterEach(() => vi.unstubAllGlobals())

const answering = (body: unknown, status = 200) =>
  vi.fn<(address: string) => Promise<Response>>(() => Promise.resolve(new Response(JSON.stringify(body), { status })))

describe('the client agrees with the contract', () => {
  test('on the files of a report', () => expect(new Set(REPORT_FILE_NAMES)).toEqual(new Set(REPORT_FILES)))

  test('on the ranges', () => expect(Object.keys(RANGE_WORDS)).toEqual(Object.keys(QUICK_RANGE_MS)))
})

describe('asking', () => {
  test('leaves out what was not chosen, and escapes what was', async () => {
    const fetch = answering({ clusters: [] })
    vi.stubGlobal('fetch', fetch)
    await ask('clustersList', {})
    await ask('summaryGet', { cluster: undefined, range: '7d' })
    await ask('summaryGet', { cluster: 'a&b', range: '7d' })
    await ask('fleetGpu', { cluster: 'demo', gpu: 'node#0/1' })
    expect(fetch.mock.calls.map(([address]) => address)).toEqual([
      '/api/v1/clusters',
      '/api/v1/summary?range=7d',
      '/api/v1/summary?cluster=a%26b&range=7d',
      '/api/v1/fleet/node%230%2F1?cluster=demo',
    ])
  })

  test('a problem document becomes an error with its words', async () => {
    const problem = { code: 'unknown-cluster', detail: 'There is no cluster "x".', todo: 'Ask for demo.', status: 404 }
    vi.stubGlobal('fetch', answering(problem, 404))
    const error = await ask('summaryGet', {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProblemError)
    expect((error as ProblemError).problem).toMatchObject(problem)
  })

  test('an answer in foreign words still says what to do', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 })))
    const error = await ask('summaryGet', {}).catch((thrown: unknown) => thrown)
    expect((error as ProblemError).problem).toMatchObject({ status: 502, code: 'unexpected-answer' })
    expect((error as ProblemError).problem.todo).toContain('proxy')
  })
})

describe('telling', () => {
  test('what the path names stands there, escaped, and the rest in the body', async () => {
    const calls: [string, RequestInit | undefined][] = []
    vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
      calls.push([address, init])
      return Promise.resolve(new Response('{}'))
    })
    await tell('membersPut', { email: 'a/b@c.example', role: 'operator', namespaces: ['ml'] })
    await tell('tokensRevoke', { id: 't1' })
    expect(calls[0]?.[0]).toBe('/api/v1/members/a%2Fb%40c.example')
    expect(calls[0]?.[1]).toMatchObject({ method: 'PUT', body: '{"role":"operator","namespaces":["ml"]}' })
    expect(calls[1]?.[0]).toBe('/api/v1/tokens/t1')
    expect(calls[1]?.[1]).toMatchObject({ method: 'DELETE' })
    expect(calls[1]?.[1]?.body).toBeUndefined()
  })

  test('a refusal is an error with its words', async () => {
    const problem = { code: 'not-allowed', detail: 'This needs the role admin.', todo: 'Ask an admin.', status: 403 }
    vi.stubGlobal('fetch', answering(problem, 403))
    const error = await tell('sessionsRevoke', { id: 's' }).catch((thrown: unknown) => thrown)
    expect((error as ProblemError).problem).toMatchObject(problem)
  })
})
