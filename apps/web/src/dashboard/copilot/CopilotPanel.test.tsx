import { notReady } from '@septet/contract'
import {
  openScriptedModel,
  openTestSeptet,
  type Script,
  type ScriptedModel,
  type TestSeptet,
} from '@septet/server/testing'
import { screen, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { shows } from '../../read-page.fake.ts'
import { at } from '../figures.fixture.ts'
import { openDashboard, openDashboardOf } from '../open-dashboard.fake.tsx'
import type { Answers } from '../septet.fake.ts'
import { answerFixture } from './answer.fixture.ts'

const box = (): HTMLElement => screen.getByRole('textbox', { name: 'Your question' })
const article = (name: string): HTMLElement => screen.getAllByRole('article', { name }).at(-1) ?? document.body
/** Asks in the panel, once nothing is on its way any more. */
async function askIn(user: UserEvent, question: string): Promise<void> {
  await expect.poll(() => screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  await user.type(await screen.findByRole('textbox', { name: 'Your question' }), `${question}{Enter}`)
}

function copilotFixture(): Answers {
  let answers = [answerFixture({ id: 'before', question: 'What is idle?', at: at(0) })]
  return {
    copilotAsk: ({ question }) => answerFixture({ question }),
    copilotHistory: () => ({ answers }),
    copilotForget: () => {
      answers = []
      return { forgotten: 1 }
    },
  }
}

describe('the co-pilot', () => {
  test('answers by keyboard, and goes away with Escape', async () => {
    const { septet, user } = await openDashboard('/dashboard?cluster=demo', { answers: copilotFixture() })
    screen.getByRole('button', { name: 'Ask' }).focus()
    await user.keyboard('{Enter}')
    await askIn(user, 'why is vllm-7 pending')
    await shows('vllm-7 waits for a 3g.40gb.', await screen.findByRole('article', { name: 'why is vllm-7 pending' }))
    // It goes with the next question, which leaves out what this one said.
    await expect.poll(() => document.activeElement).toBe(box())
    await user.keyboard('and last week?{Enter}')
    await shows('No node has one free.', await screen.findByRole('article', { name: 'and last week?' }))
    expect(septet.told).toEqual([
      {
        operation: 'copilotAsk',
        input: { cluster: 'demo', zone: 'UTC', question: 'why is vllm-7 pending', after: 'What is idle?' },
      },
      {
        operation: 'copilotAsk',
        input: { cluster: 'demo', zone: 'UTC', question: 'and last week?', after: 'why is vllm-7 pending' },
      },
    ])
    await user.click(within(article('why is vllm-7 pending')).getByRole('button', { name: 'Evidence 2' }))
    expect(document.activeElement?.textContent).toContain('/api/v1/partitions?state=free')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('textbox', { name: 'Your question' })).toBeNull()
    expect(document.activeElement?.textContent).toBe('Ask')
  })

  test('shows what was asked before, and forgets it', async () => {
    const { septet, user } = await openDashboard('/dashboard/cost?cluster=demo', { answers: copilotFixture() })
    await user.click(screen.getByRole('button', { name: 'Ask' }))
    await screen.findByRole('article', { name: 'What is idle?' })
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    // Then it begins with questions for this screen.
    await screen.findByRole('button', { name: 'Which namespace costs the most?' })
    expect(septet.told.at(-1)?.operation).toBe('copilotForget')
  })

  test('says what failed and asks again; where it covers the page it goes when an answer leads elsewhere', async () => {
    const { septet, user } = await openDashboard('/dashboard?cluster=demo', { answers: copilotFixture() })
    vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { media, matches: true }))
    const silent = notReady('The demo cluster is not responding.', 'Try again.')
    const known = septet.answers
    septet.answers = { ...known, copilotAsk: () => silent }
    await user.click(screen.getByRole('button', { name: 'Ask' }))
    await askIn(user, 'What is idle now?')
    await shows('The demo cluster is not responding. Try again.', article('What is idle now?'))
    septet.answers = known
    await user.click(screen.getByRole('button', { name: 'Ask again' }))
    await shows('No node has one free.', article('What is idle now?'))
    await user.click(screen.getAllByRole('link', { name: 'Make room for it' }).at(-1) ?? document.body)
    await screen.findByRole('heading', { level: 1, name: 'Partitions' })
    expect(screen.queryByRole('textbox', { name: 'Your question' })).toBeNull()
  })
})

/** Through a real server, to a model that says what it is told to. */
describe('with a language model', () => {
  const SUMMARY = { call: [{ name: 'fleet_summary', args: '{"cluster":"production"}' }] }
  const ANN = 'ann@septet.local'
  let model: ScriptedModel
  let septet: TestSeptet
  let token: string

  beforeAll(async () => {
    model = await openScriptedModel()
    septet = await openTestSeptet({
      environment: {
        SEPTET_AUTHORIZED_EMAIL: ANN,
        SEPTET_COPILOT_URL: model.url,
        SEPTET_COPILOT_MODEL: 'scripted',
        SEPTET_COPILOT_MASK: 'off',
        SEPTET_COPILOT_STEPS: '2',
      },
    })
    token = (await septet.signIn(ANN)).authorization.replace('Bearer ', '')
  })
  afterAll(async () => {
    await septet?.close()
    await model?.close()
  })

  async function openPanel(): Promise<UserEvent> {
    const { user } = await openDashboardOf(septet.url, '/dashboard?cluster=production', token)
    await user.click(screen.getByRole('button', { name: 'Ask' }))
    return user
  }

  test('sentences come while it speaks, without what no result holds; Stop ends it on the server too', async () => {
    model.play(SUMMARY, { hang: 'There is {{r1.capacity.gpus}}. There are 40 GPUs. ' })
    const question = 'Is the fleet in good shape?'
    const user = await openPanel()
    await askIn(user, question)
    await shows('There is 1 (capacity gpus', article(question))
    expect(article(question).getAttribute('aria-busy')).toBe('true')
    expect(article(question).textContent).not.toContain('40 GPUs')
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    await shows('You stopped this answer. It is not kept.', article(question))
    expect(article(question).textContent).toContain('There is 1 (capacity gpus')
    await expect.poll(() => model.hungUp()).toBe(true)
    await expect.poll(() => document.activeElement).toBe(box())
    model.play(SUMMARY, { say: ['There is {{r1.capacity.nodes}}. ', 'It is on node-77.'] })
    await user.click(screen.getByRole('button', { name: 'Ask again' }))
    await shows('1 sentence of the model was left out, for saying more than it cites: it cites nothing.')
    within(article(question)).getByRole('button', { name: /^1 capacity nodes in / })
    await shows('Answered by the model scripted,')
  })

  const FAILING: readonly (readonly [Script[number], string])[] = [
    [{ status: 429 }, 'the model is asked too often at the moment (429).'],
    [{ status: 500 }, 'the model answered 500.'],
    [{ raw: 'data: {"choices": [{\n\n' }, 'what the model sent could not be read.'],
    [{ cut: 'There is 1 G' }, 'the model broke off.'],
    [SUMMARY, 'the model called tools 2 times without answering.'],
    [{ say: ['There are 40 GPUs.'] }, 'no result covered what the model said.'],
  ]

  test('where it fails the panel says why, and what needs no model', async () => {
    const user = await openPanel()
    await askIn(user, 'Which GPUs have faults?')
    const question = 'Is the fleet in good shape?'
    for (const [reply, why] of FAILING) {
      model.play(reply)
      // oxlint-disable-next-line no-await-in-loop -- one question at a time, as a person asks them
      await askIn(user, question)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await expect.poll(() => article(question).textContent).toContain(`No answer: ${why}`)
      within(article(question)).getByRole('button', { name: 'Which GPUs are idle?' })
    }
  })
})
