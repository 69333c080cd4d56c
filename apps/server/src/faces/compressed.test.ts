import { gunzipSync } from 'node:zlib'

import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { compressLargeAnswers } from './server.ts'

const LARGE = { gpus: Array.from({ length: 10_000 }, (_, gpu) => `GPU-${gpu} é`) }
let server: ReturnType<typeof Fastify>
beforeEach(() => {
  server = Fastify()
  compressLargeAnswers(server)
  server.get('/api/v1/large', () => LARGE)
  server.get('/api/v1/small', () => ({ gpus: [] }))
  server.get('/page', () => LARGE)
})
afterEach(() => server.close())

const ask = (url: string, encoding: string) => server.inject({ url, headers: { 'accept-encoding': encoding } })

test('a large answer is compressed for who takes it so, and says the same', async () => {
  const answer = await ask('/api/v1/large', 'br, gzip;q=0.8')
  expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toEqual(LARGE)
  expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length))
  expect(answer.rawPayload.length).toBeLessThan(JSON.stringify(LARGE).length / 3)
})

test.each([
  ['/api/v1/large', 'identity'],
  ['/api/v1/large', ''],
  ['/api/v1/small', 'gzip'],
  ['/page', 'gzip'],
])('%s for "%s" goes as it is', async (url, encoding) => {
  const answer = await ask(url, encoding)
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.json()).toHaveProperty('gpus')
})
