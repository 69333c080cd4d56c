import { screen, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'

import { parameters, shows } from '../../read-page.fake.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'

const WORKLOADS = '/dashboard/workloads?cluster=demo'
/** Nov 18, 00:00 to Nov 19, 12:00, on the clock of Tokyo. */
const TOKYO = '2026-11-17T15:00:00.000Z/2026-11-19T03:00:00.000Z'

async function openMenu(user: UserEvent): Promise<HTMLElement> {
  await user.click(screen.getByRole('button', { name: /time ranges$/iu }))
  const menu = await screen.findByRole('dialog', { name: 'Time ranges' })
  await within(menu).findByRole('button', { name: 'Apply' })
  return menu
}

async function fill(user: UserEvent, menu: HTMLElement, times: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, time] of Object.entries(times)) {
    const field = within(menu).getByLabelText(label)
    // oxlint-disable-next-line no-await-in-loop -- one field after the other
    await user.clear(field)
    // oxlint-disable-next-line no-await-in-loop -- as above
    await user.type(field, time)
  }
  await user.click(within(menu).getByRole('button', { name: 'Apply' }))
}

describe('the time range', () => {
  test('of the calendar is chosen with its zone, so that a link shows a colleague the same days', async () => {
    const { septet, user } = await openDashboard(`${WORKLOADS}&zone=Asia%2FTokyo`)
    await user.click(within(await openMenu(user)).getByRole('button', { name: 'Last week' }))
    expect(parameters()).toMatchObject({ range: 'last-week', zone: 'Asia/Tokyo' })
    expect(septet.asked.findLast(({ operation }) => operation === 'workloadsList')?.input['range']).toBe(
      'last-week@Asia/Tokyo',
    )
    screen.getByRole('button', { name: 'Time range: Last week. Other time ranges' })
    const back = await openMenu(user)
    expect(within(back).getByRole('button', { name: 'Last week' }).getAttribute('aria-pressed')).toBe('true')
  })

  test('of two instants is typed on the clock of the zone that is chosen', async () => {
    const { user } = await openDashboard(`${WORKLOADS}&zone=Asia%2FTokyo`)
    await fill(user, await openMenu(user), { From: '2026-11-18T00:00', To: '2026-11-19T12:00' })
    expect(parameters()['range']).toBe(TOKYO)
  })

  test('that begins after its end, or is longer than is kept, is refused in words and the last one stays', async () => {
    const { user } = await openDashboard(`${WORKLOADS}&range=6h`)
    const menu = await openMenu(user)
    await fill(user, menu, { From: '2026-11-19T00:00', To: '2026-11-18T00:00' })
    await shows('The start must be before the end.', menu)
    await fill(user, menu, { From: '2020-11-19T00:00', To: '2026-11-18T00:00' })
    await shows('Choose at most 800 days.', menu)
    expect(parameters()['range']).toBe('6h')
  })

  test('of sample data cannot be chosen', async () => {
    await openDashboard('/dashboard/workloads?cluster=sample')
    expect(screen.queryByRole('button', { name: /time ranges$/iu })).toBeNull()
    expect(screen.getByRole('button', { name: 'Fixed week' }).getAttribute('aria-disabled')).toBe('true')
  })

  test('is named on the same clock wherever it stands, in the report too', async () => {
    const { user } = await openDashboard(`/dashboard?cluster=demo&zone=Asia%2FTokyo&range=${encodeURIComponent(TOKYO)}`)
    const words = 'Nov 18, 00:00 to Nov 19, 12:00'
    screen.getByRole('button', { name: `Time range: ${words}. Other time ranges` })
    for (const name of ['Workload Distribution', 'GPU Utilization Trend'])
      // oxlint-disable-next-line no-await-in-loop -- one panel after the other
      await shows(words, screen.getByRole('region', { name }))
    await user.click(screen.getByRole('button', { name: 'Export Report' }))
    const dialog = await screen.findByRole('dialog', { name: 'Export Report' })
    await shows(`Demo cluster, from ${words}.`, dialog)
  })
})
