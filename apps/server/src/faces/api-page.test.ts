import { OPERATIONS, type Operation } from '@septet/contract'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { problemDocument, Refusal, REFUSALS, type RefusalCode } from '../refusal.ts'
import { registerApiPage } from './api-page.ts'

let server: FastifyInstance
let page = ''

beforeAll(async () => {
  server = fastify()
  registerApiPage(server, '1.2.3')
  page = (await server.inject({ url: '/api', headers: { host: '127.0.0.1:7199' } })).body
})
afterAll(() => server.close())

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const examples = (): string[] =>
  [...page.matchAll(/<pre><code>(.*?)<\/code><\/pre>/gu)].map(([, text = '']) => unescaped(text))

describe('the API page', () => {
  test('has a section and an example for every operation, and says what every input means', () => {
    for (const { name } of Object.values<Operation>(OPERATIONS)) expect(page).toContain(`<section id="${name}">`)
    expect(examples()).toHaveLength(Object.keys(OPERATIONS).length + 2)
  })

  test('its examples ask the address that the reader is asking', () => {
    expect(examples().filter((text) => !text.includes(' 127.0.0.1:7199/api/'))).toEqual([])
  })

  test('the example of everything that is put is accepted by its operation', () => {
    const puts = Object.values<Operation>(OPERATIONS).filter(({ http }) => http.method === 'PUT')
    for (const { name, http, input } of puts) {
      const path = new RegExp(`${http.path.replaceAll(/:(\w+)/gu, '(?<$1>[^/ ]+)')}(?: |$)`, 'u')
      const put = examples().find((text) => text.includes('-X PUT') && path.test(text)) ?? ''
      const [, body = '{}'] = /-d '(.*)'$/u.exec(put) ?? []
      const asked = { ...path.exec(put)?.groups, ...(JSON.parse(body) as object) }
      expect([name, input.safeParse(asked).error?.message]).toEqual([name, undefined])
    }
    expect(puts.length).toBeGreaterThan(1)
  })

  test.each(Object.keys(REFUSALS) as RefusalCode[])('the type of the problem %s leads to its row', (code) => {
    const { type } = problemDocument(new Refusal(code, 'It failed.', 'Do this.'))
    const [path, anchor] = type.split('#')
    expect(path).toBe('/api')
    expect(page).toContain(`id="${anchor}"`)
  })

  test('every link within the page leads somewhere', () => {
    const anchors = [...page.matchAll(/href="#([^"]+)"/gu)].map(([, anchor = '']) => anchor)
    expect(anchors.length).toBeGreaterThan(10)
    expect(anchors.filter((anchor) => !page.includes(`id="${anchor}"`))).toEqual([])
  })
})
