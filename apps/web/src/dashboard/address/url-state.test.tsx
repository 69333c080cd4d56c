import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'

import { BROWSER_ZONE } from './range-choice.ts'
import { useUrlState } from './url-state.ts'

const Shown = () => {
  const { range, zone } = useUrlState()
  return `${range} in ${zone}`
}
const shownAt = (search: string): string =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[`/dashboard?${search}`]}>
      <Shown />
    </MemoryRouter>,
  )

test('days begin in the zone of the address, else in that of its range, else in that of the browser', () => {
  expect(shownAt('range=week&zone=Asia/Kolkata')).toBe('week@Asia/Kolkata in Asia/Kolkata')
  expect(shownAt('range=last-week%40Asia/Kolkata')).toBe('last-week@Asia/Kolkata in Asia/Kolkata')
  expect(shownAt('range=last-week%40Asia/Kolkata&zone=UTC')).toBe('last-week@Asia/Kolkata in UTC')
  expect(shownAt('range=7d')).toBe(`7d in ${BROWSER_ZONE}`)
  expect(shownAt('')).toBe(`24h in ${BROWSER_ZONE}`)
})
