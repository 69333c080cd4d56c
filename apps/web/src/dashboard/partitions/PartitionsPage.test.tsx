import { OPERATIONS, type InputOf } from '@septet/contract'
import { draw } from '@septet/domain/testing'
import { factsOf, liveEfficiency, livePartitions, liveRoom, makeLivePlan } from '@septet/server/testing'
import { sampleEfficiency, samplePartitions } from '@septet/server/testing/sample'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import type { Answers } from '../septet.fake.ts'
import { named, parameters, shows } from '../../read-page.fake.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import { planned } from '../planned.fixture.ts'

const LONG = `node-${'x'.repeat(240)}-<b>bold</b>`
const facts = factsOf(
  draw`
  a@train  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb lab/y]
  a@train  A100-SXM4-80GB  [2g.20gb -] [1g.10gb web/z]
  b@train  A100-SXM4-80GB  [7g.80gb -]
  c@edge   A30             [2g.12gb web/q] [2g.12gb -]
  d@edge   T4              [1/2 web/r] [1/2 -]
  e@edge   A30             [2g.12gb lab/v]
  ${LONG}  A30             [4g.24gb -]`,
  [],
)

/** The wish that the test makes by keyboard: two 3g.40gb on the GPU of b. */
const WISH = {
  goal: {
    kind: 'layout',
    targets: [
      {
        gpu: 'GPU-b-0',
        mig: true,
        instances: [
          { profile: '3g.40gb', start: 0 },
          { profile: '3g.40gb', start: 4 },
        ],
      },
    ],
  },
  mayWait: false,
  maxDisplaced: 10,
  wait: 1,
}

const NOTHING_KEPT = {
  actions: { list: async () => [] },
  prices: { list: async () => [] },
  recommendations: { current: async () => undefined },
}

/** A cluster that is drawn, answered as the server does it. */
const answers: Answers = {
  partitionsList: (asked) => (asked.cluster === 'sample' ? samplePartitions() : livePartitions(facts, asked)),
  partitionsEfficiency: ({ cluster }) => (cluster === 'sample' ? sampleEfficiency() : liveEfficiency(facts)),
  partitionsRoom: (asked: InputOf<typeof OPERATIONS.partitionsRoom>) => liveRoom(facts, asked),
  plansMake: async ({ cluster: _cluster, wait: _wait, ...wish }) =>
    planned(await makeLivePlan(facts, NOTHING_KEPT, wish)),
}
const visit = (query: string): ReturnType<typeof openDashboard> =>
  openDashboard(`/dashboard/partitions?cluster=${query}`, { answers })

/** The button that takes a 3g.40gb of the target out again. */
const remove = (slices: string): HTMLElement | null =>
  screen.queryByRole('button', named(`Remove 3g.40gb from memory slices ${slices}`))

describe('the partitions', () => {
  test('are listed with four numbers that are not one, and narrowed by what holds them', async () => {
    const { user } = await visit('demo')
    await screen.findByRole('heading', { name: 'MIG efficiency' })
    for (const name of ['Slice coverage', 'Slice allocation', 'Slice busy', 'Fragmentation'])
      screen.getAllByRole('button', { name: new RegExp(`^${name}: `, 'u') })
    screen.getByRole('button', { name: 'a' })
    // A name that could be markup is text, however long.
    expect(screen.getAllByText(LONG)).not.toEqual([])
    await user.type(screen.getByLabelText('Node or workload'), 'web/')
    await screen.findAllByText(/^2 nodes/u)
    expect(parameters()['q']).toBe('web/')
  })

  test('tell a free instance from memory that is not cut, and are not red where there is room to cut', async () => {
    await visit('demo')
    const row = within((await screen.findByRole('button', { name: 'e' })).closest('li') ?? document.body)
    row.getByText('room left')
    expect(screen.queryByText('none free')).toBeNull()
    const legend = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(legend).toEqual(expect.arrayContaining(['free', 'unpartitioned']))
    row.getByRole('img', { name: /2 memory slices unpartitioned/u })
  })

  test('say what keeps a profile out, and who is in the way', async () => {
    const { user } = await visit('demo&view=room')
    await user.selectOptions(await screen.findByLabelText('Board'), 'A100-SXM4-80GB')
    await user.selectOptions(screen.getByLabelText('Profile'), '3g.40gb')
    await screen.findByText(/One 3g\.40gb fits after repartitioning free capacity/u)
    await shows('Blocked by: 3g.40gb at 0, lab/Pod/x')
    const many = screen.getByLabelText('How many')
    await user.clear(many)
    await user.type(many, '5')
    await screen.findByText(/does not fit without moving workloads/u)
  })

  test('become a target layout and a plan with its files, by keyboard alone', async () => {
    const { septet, user } = await visit('demo&node=b')
    ;(await screen.findByRole('button', { name: /^Place 7g\.80gb at memory slices 0 to 7/u })).focus()
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    expect(remove('0 to 3')).not.toBeNull()
    await user.keyboard('{ArrowRight}{Enter}')
    expect(remove('4 to 7')).not.toBeNull()
    await user.keyboard('{Control>}z{/Control}')
    expect(remove('4 to 7')).toBeNull()
    await user.keyboard('{Control>}{Shift>}Z{/Shift}{/Control}')
    screen.getAllByText(/1 compute slice is stranded/u)
    screen.getByRole('button', { name: 'Draft plan' }).focus()
    await user.keyboard('{Enter}')
    await screen.findByText(/None\. No running pod stops\./u)
    expect(septet.told).toEqual([{ operation: 'plansMake', input: { cluster: 'demo', ...WISH } }])
    screen.getAllByText(/Repartition 1 of 1 GPU of b/u)
    await user.selectOptions(screen.getByLabelText('File'), 'commands.sh')
    screen.getAllByText(/kubectl patch configmap/u)
  })

  test('mark whoever would have to move, and say when the plan is for an older wish', async () => {
    const { user } = await visit('demo&node=a')
    await user.click((await screen.findAllByRole('button', { name: /^Place 7g\.80gb/u }))[0] as HTMLElement)
    screen.getByText('Must move: 3g.40gb at 0 (lab/Pod/x), 3g.40gb at 4 (lab/Pod/y)')
    await user.click(screen.getByRole('button', { name: 'Draft plan' }))
    await screen.findByRole('region', { name: 'Draft plan' })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText(/before your last change/u)
    expect(screen.queryByText(/Must move/u)).toBeNull()
  })

  test('are planned for a goal, by keyboard alone, with how good that is', async () => {
    const { septet, user } = await visit('demo&view=plan')
    ;(await screen.findByRole('radio', { name: 'Start what waits' })).focus()
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{Enter}')
    await user.selectOptions(screen.getByLabelText('Profile'), '4g.40gb')
    screen.getByRole('button', { name: 'Make plan' }).focus()
    await user.keyboard('{Enter}')
    const region = await screen.findByRole('region', { name: 'Draft plan' })
    await shows('0 pods displaced; no plan displaces fewer than 0', region)
    expect(septet.told.at(-1)?.input).toMatchObject({
      goal: { kind: 'room-for', profile: '4g.40gb', model: 'A100-SXM4-80GB' },
    })
    expect(parameters()).toMatchObject({ goal: 'room-for', profile: '4g.40gb' })
  })

  test('show how far a plan is, and take it back', async () => {
    const cancelled: string[] = []
    const { user } = await openDashboard('/dashboard/partitions?cluster=demo&view=plan', {
      answers: {
        ...answers,
        plansMake: () => ({ ...planned(null), state: 'running', done: 1, of: 2 }),
        plansGet: () => ({ ...planned(null), state: 'running', done: 1, of: 2 }),
        plansCancel: ({ id }) => {
          cancelled.push(id)
          return { cancelled: id }
        },
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Make plan' }))
    await screen.findByText(/1 of about 2 parts of the search/u)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await screen.findByRole('button', { name: 'Make plan' })
    expect(cancelled).toEqual([planned(null).id])
  })

  test('say so when a node is gone', async () => {
    await visit('demo&node=gone')
    await shows('gone is not among the nodes that you see')
  })

  test('say that there is nothing to lay out behind sample data', async () => {
    const { septet } = await visit('sample&view=room')
    await screen.findByText(/Sample data has no GPUs/u)
    expect(septet.asked.filter(({ operation }) => operation === 'partitionsRoom')).toEqual([])
  })

  test('say once what sample data has not, and not in each of four numbers', async () => {
    await visit('sample')
    await screen.findByText(/Sample data has only the one MIG efficiency/u)
    expect(screen.queryByText('Not measured')).toBeNull()
  })
})
