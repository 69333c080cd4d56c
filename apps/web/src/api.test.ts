import { EVENTS_PATH, OPERATIONS, RANGES } from '@septet/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { ask, EVENTS, PATHS, ProblemError } from './api.ts'
import { RANGE_WORDS } from './dashboard/url-state.ts'

afterEach(() => vi.unstubAllGlobals())

const answering = (body: unknown, status = 200) =>
  vi.fn<(address: string) => Promise<Response>>(() => Promise.resolve(new Response(JSON.stringify(body), { status })))

describe('the client agrees with the contract', () => {
  test.each(Object.entries(PATHS))('on the path of %s', (key, path) => {
    const operation = OPERATIONS[key as keyof typeof PATHS]
    expect(operation.http).toEqual({ method: 'GET', path })
  })

  test('on where events come from', () => expect(EVENTS).toBe(EVENTS_PATH))

  test('on the ranges', () => expect(Object.keys(RANGE_WORDS)).toEqual([...RANGES]))
})

describe('asking', () => {
  test('leaves out what was not chosen, and escapes what was', async () => {
    const fetch = answering({ clusters: [] })
    vi.stubGlobal('fetch', fetch)
    await ask('clustersList', {})
    await ask('summaryGet', { cluster: undefined, range: '7d' })
    await ask('summaryGet', { cluster: 'a&b', range: '7d' })
    expect(fetch.mock.calls.map(([address]) => address)).toEqual([
      '/api/v1/clusters',
      '/api/v1/summary?range=7d',
      '/api/v1/summary?cluster=a%26b&range=7d',
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
