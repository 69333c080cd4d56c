import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'

import { wordsOf } from '../../../read-page.fake.ts'
import { actingFixture } from '../../acting/actions.fixture.ts'
import { at } from '../../figures.fixture.ts'
import { openDashboard } from '../../open-dashboard.fake.tsx'
import type { Answer } from '../../septet.fake.ts'

type Status = Answer<'statusGet'>
type Line = Status['lines'][number]

const LINE: Line = {
  cluster: null,
  of: 'loop',
  name: 'notifications',
  title: 'Notifications',
  state: 'ok',
  since: at(0),
  every: 2,
  lastOk: at(0),
  took: 0.012,
  failures: 0,
  because: null,
  todo: null,
}
const visit = (lines: readonly Line[]) =>
  openDashboard('/dashboard/settings/status', {
    answers: {
      ...actingFixture({ role: 'operator' }).answers,
      statusGet: () => ({
        server: { name: 'septet-0', role: 'all', version: '1.2.3', startedAt: at(0) },
        clusters: [{ id: 'prod', name: 'Production' }],
        lines: [...lines],
      }),
    },
  })
const rowsOf = async (name: string): Promise<string[]> =>
  within(await screen.findByRole('region', { name: `Status of ${name}` }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => wordsOf(row))

test('each line says its state in a word, and what is wrong stands first', async () => {
  await visit([
    LINE,
    { ...LINE, cluster: 'prod', name: 'store', title: 'Writing usage' },
    {
      ...LINE,
      cluster: 'prod',
      name: 'collect',
      title: 'Readings',
      state: 'failing',
      failures: 3,
      because: 'The database is away.',
      todo: 'Check the database.',
    },
  ])
  const [first, second] = await rowsOf('Production')
  expect(first).toContain('Readings every 2 s The database is away. Failed 3 times in a row. Check the database.')
  expect(first).toContain('Failing')
  expect(second).toMatch(/^Writing usage every 2 s.*OK/u)
  expect(await rowsOf('This server')).toHaveLength(1)
})

test('it says which server answers, and what never ran is not said to have taken no time', async () => {
  await visit([{ ...LINE, state: 'waiting', lastOk: null, took: null }])
  expect(wordsOf(await screen.findByRole('region', { name: 'Now' }))).toContain('Answered by septet-0, version 1.2.3')
  const [row = ''] = await rowsOf('This server')
  expect(row).toContain('Not run yet')
  expect(row).toContain('never')
  expect(row).not.toContain('ms')
})
