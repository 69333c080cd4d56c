import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { OPERATIONS, problemDocument, Refusal, REFUSALS, type Operation, type RefusalCode } from '@septet/contract'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { registerApiPage, AUTH_ROUTES } from './api-page.ts'
import { openTestSeptet } from './open-test-septet.fixture.ts'

let server: FastifyInstance
let dist: string
let page = ''

const ask = async (host = '127.0.0.1:7199'): Promise<string> =>
  (await server.inject({ url: '/api', headers: { host } })).body

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'septet-api-page-'))
  server = fastify()
  registerApiPage(server, { version: '1.2.3', dist })
  page = await ask()
})
afterAll(async () => {
  await server.close()
  await rm(dist, { recursive: true })
})

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const examples = (): string[] =>
  [...page.matchAll(/<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gsu)].map(([, text = '']) => unescaped(text))

describe('the API page', () => {
  test('has a section and an example for every operation, and says what every input means', () => {
    for (const { name } of Object.values<Operation>(OPERATIONS)) expect(page).toContain(`<section id="${name}">`)
    expect(examples()).toHaveLength(Object.keys(OPERATIONS).length + 4)
  })

  test('says of every operation who may ask it, what it does, and about what', () => {
    const sections = [...page.matchAll(/<section id="[\w.]+">.*?<\/section>/gsu)].map(([section]) => section)
    const silent = Object.values<Operation>(OPERATIONS).filter(({ name, role }) => {
      const section = sections.find((each) => each.startsWith(`<section id="${name}">`)) ?? ''
      return !section.includes(`<dt>Role</dt><dd>${role}</dd>`) || !/<dt>Effect<.*<dt>Reach<\/dt><dd>\w/su.test(section)
    })
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('stands in the frame of the site where that is built, whatever a request says its host is', async () => {
    await mkdir(join(dist, 'api'), { recursive: true })
    await writeFile(join(dist, 'api/index.html'), '<header>ours</header><div data-filled-by="server"></div><footer>')
    const framed = await ask('$&<b>"')
    expect(framed).toMatch(/^<header>ours<\/header><div class="beside">.*<\/div><footer>$/su)
    expect(framed).toContain('$&amp;&lt;b&gt;&quot;/api/v1/me')
    await rm(join(dist, 'api'), { recursive: true })
    expect(await ask()).toBe(page)
  })

  test('has no script of its own', () => expect(page).not.toMatch(/<script|\son\w+=/u))

  test('its list of the auth service names routes that are there', async () => {
    const septet = await openTestSeptet()
    try {
      const answers = await Promise.all(
        AUTH_ROUTES.map(async ({ method, path }) => {
          const answer = await fetch(`${septet.url}${path.replace(':factor', 'x')}`, { method, redirect: 'manual' })
          return { path, text: `${answer.status} ${await answer.text()}` }
        }),
      )
      // What is not there is answered with a problem document; the service has a form of its own.
      expect(answers.filter(({ text }) => text.includes('/api#problem-not-found'))).toEqual([])
    } finally {
      await septet.close()
    }
  })

  test('its examples ask the address that the reader is asking', () => {
    expect(examples().filter((text) => !text.includes(' 127.0.0.1:7199/api/'))).toEqual([])
  })

  test('the example of everything that is put is accepted by its operation', () => {
    const puts = Object.values<Operation>(OPERATIONS).filter(({ method }) => method === 'PUT')
    for (const { name, path, input } of puts) {
      const route = new RegExp(`${path.replaceAll(/:(\w+)/gu, '(?<$1>[^/ ]+)')}(?: |$)`, 'u')
      const put = examples().find((text) => text.includes('-X PUT') && route.test(text)) ?? ''
      const [, body = '{}'] = /-d '(.*)'$/u.exec(put) ?? []
      const asked = { ...route.exec(put)?.groups, ...(JSON.parse(body) as object) }
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
