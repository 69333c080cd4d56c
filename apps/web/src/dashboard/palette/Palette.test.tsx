import { screen } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'

import { parameters } from '../../read-page.fake.ts'
import { actingFixture } from '../acting/actions.fixture.ts'
import { at } from '../figures.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../septet.fake.ts'

type Found = Answer<'searchFind'>['found'][number]

const answered = { source: { id: 'demo', name: 'Demo cluster', kind: 'demo' as const }, asOf: at(4), window: null }
const MARKUP = '<img src=x onerror=document.title=1>'
const NODE: Found = { kind: 'node', id: 'gpu-node-7', name: 'gpu-node-7', detail: 'pool train' }
const JOB: Found = { kind: 'workload', id: 'lab/Job/gpu-node', name: `gpu-node ${MARKUP}`, detail: 'lab' }

const found = (some: readonly Found[]): Answers => ({
  searchFind: () => ({
    ...answered,
    total: some.length,
    found: [...some],
  }),
})
const visit = (answers: Answers = {}, me: Partial<Answer<'sessionMe'>> = { role: 'admin' }) =>
  openDashboard('/dashboard/alerts?cluster=demo&range=7d', {
    answers: {
      ...actingFixture(me).answers,
      alertsList: () => ({ ...answered, note: null, total: 0, firing: [], pending: 0, history: [] }),
      ...answers,
    },
  })
const UNREAD: Answer<'queryAsk'> = { line: '', pieces: [], assumed: [], completions: [], answer: null }
const field = (): Promise<HTMLElement> => screen.findByPlaceholderText(/Go to a screen/u)
const offers = (): string[] => screen.queryAllByRole('option').map(({ textContent }) => textContent ?? '')
const chosen = (): string | undefined =>
  screen.queryAllByRole('option').find((option) => option.ariaSelected === 'true')?.textContent ?? undefined

async function find(user: UserEvent, text: string): Promise<void> {
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await field(), text)
}

describe('the palette', () => {
  test('opens by a key from anywhere, closes by Escape, and the focus is where it was', async () => {
    const { user } = await visit()
    const link = await screen.findByRole('link', { name: 'Rules and channels' })
    link.focus()
    await user.keyboard('{Control>}k{/Control}')
    const input = await field()
    expect(document.activeElement).toBe(input)
    await user.keyboard('{Escape}')
    await expect.poll(() => document.activeElement).toBe(link)
  })

  test('goes to a screen by a few letters, and keeps cluster and range', async () => {
    const { user } = await visit()
    await find(user, 'fits')
    expect(chosen()).toContain('What fits')
    await user.keyboard('{Enter}')
    expect([location.pathname, parameters()]).toEqual([
      '/dashboard/partitions',
      { cluster: 'demo', range: '7d', view: 'room' },
    ])
  })

  test('finds what is in the cluster, whose names are text, and opens it by keyboard', async () => {
    const { septet, user } = await visit(found([NODE, JOB]))
    await find(user, 'gpu-node')
    await expect.poll(offers).toContain(`Workload${JOB.name}lab`)
    expect(septet.asked.findLast(({ operation }) => operation === 'searchFind')?.input).toMatchObject({
      cluster: 'demo',
      query: 'gpu-node',
    })
    expect(document.querySelector('img[src=x]')).toBeNull()
    await user.keyboard('{ArrowDown}{Enter}')
    expect([location.pathname, parameters()['workload']]).toEqual(['/dashboard/workloads', 'lab/Job/gpu-node'])
  })

  test('asks only what nothing else answers, below what was found, on the screen whose address holds it', async () => {
    const { user } = await visit({ ...found([NODE]), queryAsk: () => UNREAD })
    await find(user, 'gpu-node-7')
    await expect.poll(offers).toEqual(['Nodegpu-node-7pool train', 'Ask: gpu-node-7'])
    expect(chosen()).toBe('Nodegpu-node-7pool train')
    await user.keyboard('{ArrowDown}{Enter}')
    expect([location.pathname, parameters()]).toEqual([
      '/dashboard/ask',
      { cluster: 'demo', range: '7d', q: 'gpu-node-7' },
    ])
  })

  test('offers somebody of some namespaces nothing that speaks of whole clusters', async () => {
    const { user } = await visit({}, { role: 'viewer', namespaces: ['lab'] })
    await find(user, 'what if')
    expect(offers().filter((offer) => offer.startsWith('What if'))).toEqual([])
    await user.clear(await field())
    await user.type(await field(), 'stop acting')
    expect(offers().filter((offer) => offer.startsWith('Stop acting'))).toEqual([])
    await user.clear(await field())
    await user.type(await field(), 'members')
    expect(offers().filter((offer) => offer.startsWith('Members'))).toEqual([])
  })
})
