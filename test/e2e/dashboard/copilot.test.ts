import type { OPERATIONS, OutputOf } from '@septet/contract'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { answerFixture, NOW } from '@septet/web/testing'
import {
  openScriptedModel,
  openTestSeptet,
  type Script,
  type ScriptedModel,
  type TestSeptet,
} from '@septet/server/testing'
import { axeFindings, overflow } from '../../page-flaws.ts'
import { webFolder } from '../../shared/shared.ts'
import { sessionOf, visitDashboard } from './dashboard-page.ts'
import { type FixtureServer, healthy, signedIn } from './fixture-server.ts'
import { withFixtures } from './with-fixtures.ts'

const AGENTS: OutputOf<(typeof OPERATIONS)['agentsGet']> = {
  toolsets: ['read'],
  endpoint: '/mcp',
  tools: [{ name: 'fleet_summary', title: 'Fleet', toolset: 'read', description: 'How the fleet does.' }],
  copilot: { kind: 'model', name: 'qwen3:8b', host: 'models.example.com', isMasked: true },
  changedAt: null,
  changedBy: null,
}
const CALLS: OutputOf<(typeof OPERATIONS)['agentsCalls']> = {
  calls: [
    {
      at: new Date(NOW).toISOString(),
      caller: 'token:ci',
      tool: 'fleet_summary',
      outcome: 'refused',
      because: 'The token ended.',
      milliseconds: 12.4,
    },
  ],
}

let browser: Browser
let server: FixtureServer
withFixtures((opened) => ({ browser, server } = opened))
beforeEach(() => {
  let kept = [answerFixture({ id: 'before', question: 'What is idle?', at: new Date(NOW).toISOString() })]
  server.told.length = 0
  server.answers = {
    ...healthy(),
    '/api/v1/me': () => ({
      body: { kind: 'account', name: 'operator@example.com', role: 'admin', namespaces: null, clusters: null },
    }),
    '/api/v1/copilot': () => ({ body: answerFixture() }),
    '/api/v1/copilot/history': (_query, told) => {
      if (told !== undefined) kept = []
      return { body: told === undefined ? { answers: kept } : { forgotten: 1 } }
    },
    '/api/v1/agents': () => ({ body: AGENTS }),
    '/api/v1/agents/calls': () => ({ body: CALLS }),
  }
})

const visit = (path: string, look: (page: Page) => Promise<void>, how: BrowserContextOptions = {}): Promise<void> =>
  visitDashboard({ browser, url: `${server.url}${path}`, session: signedIn(NOW), now: NOW, ...how }, look)
const box = (page: Page) => page.getByRole('textbox', { name: 'Your question' })
const asked = () => server.told.filter(({ path }) => path === '/api/v1/copilot').map(({ body }) => body)
/** Asks in the panel, once nothing is on its way any more. */
const askIn = async (page: Page, question: string): Promise<void> => {
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await box(page).fill(question)
  await box(page).press('Enter')
}

describe('the co-pilot', () => {
  test('answers by keyboard: from the palette, then in the panel, and goes away with Escape', () =>
    visit('/dashboard?cluster=demo', async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Go to a screen').waitFor()
      await page.keyboard.type('why is vllm-7 pending')
      await page.getByRole('option', { name: 'Ask: why is vllm-7 pending' }).waitFor()
      await page.keyboard.press('Enter')
      const answer = page.getByRole('article', { name: 'why is vllm-7 pending' })
      await answer.getByText('vllm-7 waits for a 3g.40gb.').waitFor()
      // It goes with the next question, which leaves out what this one said.
      await expect.poll(() => box(page).evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.type('and last week?')
      await page.keyboard.press('Enter')
      await page.getByRole('article', { name: 'and last week?' }).getByText('No node has one free.').waitFor()
      expect(asked()).toEqual([
        { cluster: 'demo', question: 'why is vllm-7 pending' },
        { cluster: 'demo', question: 'and last week?', after: 'why is vllm-7 pending' },
      ])
      await answer.getByRole('button', { name: 'Evidence 2' }).click()
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toContain('/api/v1/partitions?state=free')
      expect(await axeFindings(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect.poll(() => box(page).count()).toBe(0)
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Ask')
    }))

  test('shows what was asked before, and forgets it', () =>
    visit('/dashboard/cost?cluster=demo', async (page) => {
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      await page.getByRole('article', { name: 'What is idle?' }).waitFor()
      await page.getByRole('button', { name: 'Clear' }).click()
      // Then it begins with questions for this screen.
      await page.getByRole('button', { name: 'Which namespace costs the most?' }).waitFor()
      expect(server.told.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/v1/copilot/history' })
    }))

  test('says what failed and asks again; on a phone it is a sheet that covers the page', () =>
    visit(
      '/dashboard?cluster=demo',
      async (page) => {
        const detail = 'The demo cluster is not responding.'
        const body = { detail, todo: 'Try again.', code: 'not-ready', type: '', title: '', status: 503 }
        server.answers['/api/v1/copilot'] = () => ({ status: 503, body })
        await page.getByRole('button', { name: 'Ask', exact: true }).click()
        await box(page).fill('What is idle now?')
        await page.keyboard.press('Enter')
        await page.getByRole('article').getByText(`${detail} Try again.`).waitFor()
        server.answers['/api/v1/copilot'] = () => ({ body: answerFixture() })
        await page.getByRole('button', { name: 'Ask again' }).click()
        await page.getByRole('article').getByText('No node has one free.').last().waitFor()
        expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0])
        // What an answer leads to is not hidden behind it.
        await page.getByRole('link', { name: 'Make room for it' }).last().click()
        await page.getByRole('heading', { level: 1, name: 'Partitions' }).waitFor()
        expect(await box(page).count()).toBe(0)
      },
      { viewport: { width: 360, height: 800 } },
    ))
})

/** Through a real server, to a model that says what it is told to. */
describe('with a language model', () => {
  const SUMMARY = { call: [{ name: 'fleet_summary', args: '{"cluster":"production"}' }] }
  const ann = { email: 'ann@septet.local', password: 'a long enough password' }
  let model: ScriptedModel
  let septet: TestSeptet

  beforeAll(async () => {
    model = await openScriptedModel()
    septet = await openTestSeptet({
      dist: await webFolder(),
      environment: {
        SEPTET_AUTHORIZED_EMAIL: ann.email,
        SEPTET_COPILOT_URL: model.url,
        SEPTET_COPILOT_MODEL: 'scripted',
        SEPTET_COPILOT_MASK: 'off',
        SEPTET_COPILOT_STEPS: '2',
      },
    })
    await septet.signIn(ann.email)
  })
  afterAll(async () => {
    await septet?.close()
    await model?.close()
  })

  const askModel = async (question: string, look: (page: Page, answer: Locator) => Promise<void>): Promise<void> =>
    visitDashboard(
      { browser, url: `${septet.url}/dashboard?cluster=production`, session: await sessionOf(septet.url, ann) },
      async (page) => {
        await page.getByRole('button', { name: 'Ask', exact: true }).first().click()
        await askIn(page, question)
        await look(page, page.getByRole('article', { name: question }).last())
      },
    )

  test('sentences come while it speaks, without what no result holds; Stop ends it on the server too', async () => {
    model.play(SUMMARY, { hang: 'There is 1 GPU. There are 40 GPUs. ' })
    await askModel('How many GPUs are there in all?', async (page, answer) => {
      await answer.getByText('There is 1 GPU.').waitFor()
      expect(await answer.getAttribute('aria-busy')).toBe('true')
      expect(await answer.innerText()).not.toContain('40')
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Stop' }).click()
      await answer.getByText('You stopped this answer. It is not kept.').waitFor()
      expect(await answer.innerText()).toContain('There is 1 GPU.')
      await expect.poll(() => model.hungUp()).toBe(true)
      await expect.poll(() => box(page).evaluate((element) => element === document.activeElement)).toBe(true)
      model.play(SUMMARY, { say: ['It is on 1 node. ', 'It is on node-77.'] })
      await page.getByRole('button', { name: 'Ask again' }).click()
      await page.getByText('1 sentence of the model was left out: no result held what it said.').waitFor()
      await page.getByText('Answered by the model scripted,').waitFor()
      expect(await axeFindings(page)).toEqual([])
    })
  })

  test('where it fails the panel says why, and what needs no model', () =>
    askModel('Which GPUs have faults?', async (page) => {
      const failing: readonly (readonly [Script[number], string])[] = [
        [{ status: 429 }, 'the model is asked too often at the moment (429).'],
        [{ status: 500 }, 'the model answered 500.'],
        [{ raw: 'data: {"choices": [{\n\n' }, 'what the model sent could not be read.'],
        [{ cut: 'There is 1 G' }, 'the model broke off.'],
        [SUMMARY, 'the model called tools 2 times without answering.'],
        [{ say: ['There are 40 GPUs.'] }, 'no result covered what the model said.'],
      ]
      for (const [reply, why] of failing) {
        model.play(reply)
        // oxlint-disable-next-line no-await-in-loop -- one question at a time, as a person asks them
        await askIn(page, 'How many GPUs do we have?')
        const answer = page.getByRole('article', { name: 'How many GPUs do we have?' }).last()
        // oxlint-disable-next-line no-await-in-loop -- as above
        await answer.getByText(`No answer: ${why}`).waitFor()
        // oxlint-disable-next-line no-await-in-loop -- as above
        await answer.getByRole('button', { name: 'Which GPUs are idle?' }).waitFor()
        // It is read from its beginning, however long it is.
        // oxlint-disable-next-line no-await-in-loop -- as above
        await expect.poll(async () => (await answer.boundingBox())?.y).toBeLessThan(120)
      }
    }))
})

describe('Settings → Agents', () => {
  test('gives a configuration to copy, with what is offered and what was called', () =>
    visit(
      '/dashboard/settings/agents',
      async (page) => {
        await page.getByRole('radio', { name: 'Cursor' }).click()
        await page.getByRole('button', { name: 'Copy the configuration' }).click()
        await page.getByText('Copied').waitFor()
        const copied = await page.evaluate(() => navigator.clipboard.readText())
        expect(JSON.parse(copied)).toMatchObject({ mcpServers: { septet: { url: `${server.url}/mcp` } } })
        await page.getByText('The model qwen3:8b at models.example.com.').waitFor()
        await page.getByRole('row').filter({ hasText: 'token:ci' }).getByText('The token ended.').waitFor()
        await page.getByRole('checkbox', { name: 'Plan' }).click()
        await expect.poll(() => server.told.at(-1)?.body).toEqual({ toolsets: ['read', 'plan'] })
        expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0])
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ))
})
