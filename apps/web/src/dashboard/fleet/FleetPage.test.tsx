import { notAllowed, notFound, notReady } from '@septet/contract'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { areasOn } from '../../canvas.fake.ts'
import type { Answer, Answers } from '../septet.fake.ts'
import { parameters } from '../../read-page.fake.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import { drawnFleet } from './drawn-fleet.fixture.ts'
import { gpuCard, HOSTILE } from './gpu-card.fixture.ts'

const AS_OF = '2026-11-17T10:41:20.000Z'
const fleet = drawnFleet(1000, 7)
const [FIRST = '', SECOND = ''] = fleet.frame.gpus.id
const GONE = notFound('There is no such GPU.', 'Close this card.')

const fleetAnswers = (drawn: ReturnType<typeof drawnFleet> = fleet): Answers => ({
  fleetMap: ({ known }): Answer<'fleetMap'> => (known === drawn.revision ? { ...drawn, frame: null } : drawn),
  fleetGpu: ({ gpu }) => (drawn.frame.gpus.id.includes(gpu) ? gpuCard(gpu, AS_OF) : GONE),
})
const visit = (query = '', answers: Answers = {}): ReturnType<typeof openDashboard> =>
  openDashboard(`/dashboard/fleet?cluster=demo${query}`, { answers: { ...fleetAnswers(), ...answers } })

const map = (): Promise<HTMLElement> => screen.findByTestId('fleet-map')
/** How many areas are painted on the map; none on a blank one. */
const areas = async (): Promise<number> => areasOn((await map()).querySelector('canvas') ?? document)

/** Whether the button that shows all of the map has nothing to do. */
const isWhole = (): string | null => screen.getByRole('button', { name: 'Fit' }).getAttribute('aria-disabled')

describe('the map', () => {
  test('draws ten thousand GPUs, and asks for the frame once', async () => {
    const drawn = drawnFleet(10_000, 7)
    const { septet, rest } = await visit('', fleetAnswers(drawn))
    await expect.poll(areas).toBeGreaterThan(10_000)
    septet.send({ kind: 'inventory', cluster: 'demo', asOf: AS_OF })
    await rest()
    expect(septet.asked.filter(({ operation }) => operation === 'fleetMap').map(({ input }) => input)).toEqual([
      { cluster: 'demo' },
      { cluster: 'demo', known: drawn.revision },
    ])
  })

  test('is walked by keyboard alone: say, open, close, back', async () => {
    const { user } = await visit()
    ;(await map()).focus()
    await user.keyboard('{Home}{ArrowRight}')
    await screen.findByText(/^gpu-node-0000, GPU 1, H100/u, { selector: 'output' })
    await user.keyboard('{Enter}')
    await within(await screen.findByRole('dialog')).findAllByText(/XID 79/u)
    expect(parameters()['gpu']).toBe(SECOND)
    await user.keyboard('{Escape}')
    expect([screen.queryByRole('dialog'), parameters()['gpu']]).toEqual([null, undefined])
    history.back()
    await screen.findByRole('dialog')
  })

  test('is zoomed and moved by keys, and comes back whole', async () => {
    const { user } = await visit()
    ;(await map()).focus()
    await expect.poll(isWhole).toBe('true')
    await user.keyboard('+{Shift>}{ArrowDown}{/Shift}')
    expect(isWhole()).toBe('false')
    await user.click(screen.getByRole('button', { name: 'Fit' }))
    expect(isWhole()).toBe('true')
  })

  test('is narrowed down by legend and search, and the address keeps both', async () => {
    const { user } = await visit('&q=gpu-node-00')
    await screen.findByText('800 of 1,000 GPUs match')
    await user.click(screen.getByRole('button', { name: /^idle-held/u }))
    expect(parameters()).toMatchObject({ show: 'idle', q: 'gpu-node-00' })
    const [match] = (screen.getByText(/of 1,000 GPUs match/u).textContent ?? '').split(' ')
    expect(Number(match)).toBeLessThan(800)
    history.back()
    await screen.findByText('800 of 1,000 GPUs match')
  })

  test('is grouped, and the table is one key away', async () => {
    const { user } = await visit('&group=pool')
    await map()
    await user.keyboard('t')
    const table = await screen.findByRole('table', { name: 'Every GPU' })
    expect(table.getAttribute('aria-rowcount')).toBe('1001')
    expect(table.querySelectorAll('tbody tr').length).toBeLessThan(80)
    await user.click(within(table).getByRole('button', { name: /^gpu-node-0000.*GPU 1$/u }))
    await screen.findByRole('dialog')
    expect(parameters()).toMatchObject({ view: 'table', gpu: SECOND })
  })
})

describe('the card of a GPU', () => {
  test('shows hostile names as text, what is not measured as that, and the past with its gap', async () => {
    await visit(`&gpu=${FIRST}`)
    const panel = within(await screen.findByRole('dialog'))
    await panel.findByRole('link', { name: (name) => name.includes(HOSTILE.slice(0, 30)) })
    expect([document.title, document.querySelector('img[src=x]')]).toEqual(['Fleet · Septet', null])
    await panel.findByText(/^512/u)
    await panel.findAllByText('Not measured')
    await panel.findByText(/Memory in use, last 24 hours: not measured\./u)
    await panel.findByRole('heading', { name: 'Busy, last 24 hours' })
  })

  test('of a GPU that is gone says so and leads back', async () => {
    const { user } = await visit('&gpu=GPU-gone')
    await screen.findByText('This GPU is not there')
    await user.click(screen.getByRole('button', { name: 'Back to the fleet' }))
    expect([screen.queryByRole('dialog'), parameters()['gpu']]).toEqual([null, undefined])
  })

  test('of a GPU that goes while it is open keeps what was known', async () => {
    const { septet } = await visit(`&gpu=${FIRST}`)
    await within(await screen.findByRole('dialog')).findByText(/^512/u)
    septet.answers = { ...septet.answers, fleetGpu: () => GONE }
    septet.send({ kind: 'inventory', cluster: 'demo', asOf: AS_OF })
    await screen.findByText(/Below is its last known state\./u)
    within(screen.getByRole('dialog')).getByText(/^512/u)
  })
})

describe('states', () => {
  const empty = drawnFleet(0, 1)
  const reading = 'Septet is reading Demo for the first time.'

  test.each([
    ['an empty cluster', { ...empty, now: { ...empty.now, notReady: [] } }, /^No GPU to show/u],
    ['one that was not read yet', notReady(reading, 'Wait.'), new RegExp(reading, 'u')],
    ['one that is not for this role', notAllowed('Not for you.', 'Ask an admin.'), /Not for your role/u],
  ])('%s has a page that says so', async (_name, reply, words) => {
    await visit('', { fleetMap: () => reply })
    await screen.findAllByText(words)
    expect(screen.queryByTestId('fleet-map')).toBeNull()
  })

  test('one GPU is a map too', async () => {
    await visit('', fleetAnswers(drawnFleet(1, 3)))
    await screen.findByText('1 GPU')
    await expect.poll(areas).toBeGreaterThan(0)
  })
})
