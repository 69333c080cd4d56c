import { Refusal, invalidInput } from '@septet/contract'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { parameters, shows, wordsOf } from '../../../read-page.fake.ts'
import { actingFixture, CUTS, type Acting } from '../../acting/actions.fixture.ts'
import { at } from '../../figures.fixture.ts'
import { openDashboard } from '../../open-dashboard.fake.tsx'
import type { Answers } from '../../septet.fake.ts'
import type { MadePlan } from '../../client/use-computed.ts'
import { planned } from '../../planned.fixture.ts'

type Appointment = NonNullable<MadePlan['appointment']>
const APPOINTMENT: Appointment = {
  possible: 8,
  cutFirst: [],
  from: null,
  nodes: [
    {
      node: 'gpu-b',
      gpus: 8,
      closesAt: '2026-11-22T09:00:00.000Z',
      evictsAt: '2026-11-23T08:00:00.000Z',
      opensAt: '2026-11-23T17:00:00.000Z',
      evicted: ['lab/nb-1'],
      ending: [{ pod: 'lab/train-1', by: '2026-11-22T20:00:00.000Z' }],
      idleHours: 12,
      idleNow: 3,
    },
  ],
  evictions: 1,
  atLeast: 1,
  idleHours: 12.5,
  idleUsd: 31.25,
  tolerations: [],
}
const PLAN: MadePlan = {
  source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
  asOf: at(4),
  window: null,
  says: [],
  goal: 'appointment',
  kind: 'plan',
  digest: '0123456789abcdef',
  madeFrom: at(4),
  because: null,
  id: 'plan-7',
  title: '8 GPUs on gpu-b from Nov 23',
  steps: [],
  displaced: ['lab/nb-1'],
  moves: [],
  seconds: null,
  bound: null,
  proof: 'best',
  use: null,
  saving: null,
  starts: [],
  waits: [],
  refused: [],
  leftOut: [],
  notes: [],
  wayBack: { steps: [], lost: [] },
  files: [],
  noFiles: [],
  gpus: [],
  appointment: APPOINTMENT,
}
const visit = (change: Change | Refusal, { acting = actingFixture(), query = '', answers = {} }: Visit = {}) =>
  openDashboard(`/dashboard/actions/what-if?cluster=demo&ask=gpus${query}`, {
    answers: {
      ...acting.answers,
      plansMake: () => (change instanceof Refusal ? change : planned(changed(change))),
      ...answers,
    },
  })
type Change = Partial<Omit<MadePlan, 'appointment'>> & { readonly appointment?: Partial<Appointment> }
const changed = ({ appointment, ...plan }: Change): MadePlan => ({
  ...PLAN,
  ...plan,
  appointment: { ...APPOINTMENT, ...appointment },
})
type Visit = { readonly acting?: Acting; readonly query?: string; readonly answers?: Answers }

const plan = async ({ user }: Awaited<ReturnType<typeof visit>>): Promise<void> =>
  user.click(await screen.findByRole('button', { name: 'Plan it' }))
const reservation = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Reservation' })

describe('GPUs at an instant', () => {
  test('are planned as they were asked for, and the address keeps the question', async () => {
    const opened = await visit({})
    const field = await screen.findByLabelText('GPUs')
    await opened.user.clear(field)
    await opened.user.type(field, '16')
    await opened.user.type(screen.getByLabelText('For namespace'), 'lab')
    await plan(opened)
    expect(opened.septet.told.at(-1)).toMatchObject({
      operation: 'plansMake',
      input: {
        cluster: 'demo',
        goal: { kind: 'appointment', gpus: 16, perNode: 8, namespace: 'lab', hours: 8 },
        maxDisplaced: 10,
      },
    })
    expect(parameters()).toMatchObject({ gpus: '16', for: 'lab', at: '2026-11-23T09:00:00.000Z' })
  })

  test('come with what they cost, and what happens when and to whom', async () => {
    await plan(await visit({}))
    const shown = await reservation()
    await shows(/Pods evicted1proven: no plan evicts fewer/u, shown)
    await shows(/Cost of that\$31at the price in force/u, shown)
    const [node] = within(shown)
      .getAllByRole('listitem')
      .filter((item) => item.textContent?.startsWith('gpu-b'))
    expect(node && wordsOf(node)).toMatch(
      /^gpu-b 8 GPUs kept, 3 free now .*closes.* lab\/train-1 has ended by then.* evicted: lab\/nb-1 .* opens again$/u,
    )
  })

  test('without a price cost an unknown amount, and a minimum that is lower is told', async () => {
    await plan(await visit({ appointment: { idleUsd: null, idleHours: null, evictions: 3, atLeast: 1 } }))
    const shown = await reservation()
    await shows(/Cost of thatunknowna model has no price/u, shown)
    await shows(/Reserved but idleunknown/u, shown)
    await shows(/Pods evicted3proven minimum 1/u, shown)
    expect(shown.textContent).not.toContain('$0')
  })

  test('that are not to be had say why, and which nodes are not counted on', async () => {
    const leftOut = [{ code: 'not-ready', message: 'gpu-c is not ready.', object: 'node/gpu-c' }]
    await plan(
      await visit({ kind: 'none', because: '5 of 8 GPUs are free by then.', appointment: { nodes: [] }, leftOut }),
    )
    const panel = await screen.findByRole('region', { name: 'These GPUs are not available then' })
    await shows('5 of 8 GPUs are free by then.', panel)
    await shows('1 node is not counted on', panel)
    await shows('gpu-c is not ready.', panel)
    expect(screen.queryByRole('button', { name: 'Propose it' })).toBeNull()
  })

  test('are refused in the server’s words, and the question stays', async () => {
    const refusal = invalidInput('That time has passed.', 'Choose a later one.')
    await plan(await visit(refusal, { query: '&gpus=64' }))
    await shows('That time has passed. Choose a later one.')
    expect(screen.getByLabelText<HTMLInputElement>('GPUs').value).toBe('64')
  })

  test('are put up for approval, which opens the card of the action', async () => {
    const acting = actingFixture()
    const opened = await visit({}, { acting, answers: { appointmentsPropose: () => CUTS.proposed } })
    await plan(opened)
    await opened.user.click(within(await reservation()).getByRole('button', { name: 'Propose it' }))
    expect(opened.septet.told.find(({ operation }) => operation === 'appointmentsPropose')?.input).toMatchObject({
      gpus: 8,
    })
    expect(parameters()).toMatchObject({ cluster: 'demo', action: 'action-cut' })
  })

  test('are not proposed by a viewer, who reads why', async () => {
    const acting = actingFixture({ role: 'viewer' })
    await plan(await visit({}, { acting }))
    await shows('Approving needs the operator role; you are a viewer.', await reservation())
    expect(screen.queryByRole('button', { name: 'Propose it' })).toBeNull()
  })
})
