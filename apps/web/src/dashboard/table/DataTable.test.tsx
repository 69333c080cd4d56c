import { screen, within } from '@testing-library/dom'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { BrowserRouter } from 'react-router'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { parameters } from '../../read-page.fake.ts'
import type { Column } from './column.ts'
import { DataTable } from './DataTable.tsx'

type Row = { readonly name: string; readonly cost: number | null }

const ROWS: readonly Row[] = [
  { name: 'b', cost: 5 },
  { name: 'a', cost: null },
  { name: 'Z, "z"', cost: 40 },
  { name: 'c', cost: 0 },
]
const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', name: 'Name', cell: ({ name }) => name, sortBy: ({ name }) => name, text: ({ name }) => name },
  {
    id: 'cost',
    name: 'Cost',
    cell: ({ cost }) => (cost === null ? 'unknown' : cost),
    sortBy: ({ cost }) => cost ?? undefined,
    largestFirst: true,
    text: ({ cost }) => (cost === null ? '' : String(cost)),
  },
  { id: 'bar', name: 'Bar', cell: () => '' },
]

type Shown = { readonly user: UserEvent; readonly opened: readonly string[] }

function show(rows: readonly Row[] = ROWS, query = ''): Shown {
  history.replaceState(null, '', `/dashboard${query}`)
  const opened: string[] = []
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    place.remove()
    vi.unstubAllGlobals()
  })
  flushSync(() =>
    root.render(
      <BrowserRouter>
        <DataTable
          caption="Costs"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ name }) => name}
          initialSort={{ id: 'cost', down: true }}
          onOpen={({ name }) => opened.push(name)}
          empty="Nothing costs anything."
        />
      </BrowserRouter>,
    ),
  )
  return { user: userEvent.setup(), opened }
}
const names = (): readonly (string | null)[] =>
  within(screen.getByRole('table', { name: 'Costs' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('button').textContent)
const sortedBy = (): readonly string[] =>
  screen
    .getAllByRole('columnheader')
    .filter(({ ariaSort }) => ariaSort !== null)
    .map((head) => `${head.textContent?.replace(/[↑↓]/u, '')} ${head.ariaSort}`)
const sort = async ({ user }: Shown, name: string): Promise<void> =>
  user.click(within(screen.getByRole('columnheader', { name: new RegExp(name, 'u') })).getByRole('button'))

describe('a table', () => {
  test('begins with the largest amount, and what is not known comes last in both directions', async () => {
    const shown = show()
    await expect.poll(names).toEqual(['Z, "z"', 'b', 'c', 'a'])
    await sort(shown, 'Cost')
    await expect.poll(names).toEqual(['c', 'b', 'Z, "z"', 'a'])
    expect([sortedBy(), parameters()['sort']]).toEqual([['Cost ascending'], 'cost'])
    await sort(shown, 'Cost')
    await expect.poll(names).toEqual(['Z, "z"', 'b', 'c', 'a'])
    expect(parameters()['sort']).toBe('-cost')
  })

  test('is sorted by names from A on, whatever language the browser has, and by nothing without an order', async () => {
    const shown = show()
    await sort(shown, 'Name')
    await expect.poll(names).toEqual(['Z, "z"', 'a', 'b', 'c'])
    expect(within(screen.getByRole('columnheader', { name: 'Bar' })).queryByRole('button')).toBeNull()
  })

  test('is sorted as its address says, and as it begins where that names no column', async () => {
    show(ROWS, '?sort=-name')
    await expect.poll(names).toEqual(['c', 'b', 'a', 'Z, "z"'])
    expect(sortedBy()).toEqual(['Name descending'])
  })

  test('whose address names no column of it begins as always', async () => {
    show(ROWS, '?sort=-constructor')
    await expect.poll(names).toEqual(['Z, "z"', 'b', 'c', 'a'])
  })

  test('opens a row by keyboard', async () => {
    const { user, opened } = show()
    ;(await screen.findByRole('button', { name: 'b' })).focus()
    await user.keyboard('{Enter}')
    expect(opened).toEqual(['b'])
  })

  test('is copied in the order that is shown, quoted, and without columns that have no text', async () => {
    const { user } = show()
    await user.click(await screen.findByRole('button', { name: 'Copy CSV' }))
    expect(await navigator.clipboard.readText()).toBe('Name,Cost\r\n"Z, ""z""",40\r\nb,5\r\nc,0\r\na,\r\n')
    await screen.findByText('Copied')
  })

  test('says that the browser did not let it be copied', async () => {
    const { user } = show()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('denied', 'NotAllowedError'))
    await user.click(await screen.findByRole('button', { name: 'Copy CSV' }))
    await screen.findByText('The browser refused')
  })

  test('of ten thousand rows holds those in sight, and says how many there are', async () => {
    show(Array.from({ length: 10_000 }, (_, number) => ({ name: `row ${number}`, cost: number })))
    await screen.findByText('10,000 rows')
    await expect.poll(() => names().length).toBeGreaterThan(5)
    expect(names().length).toBeLessThan(200)
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('10001')
  })

  test('without a row says why, and has nothing to copy', () => {
    show([])
    screen.getByText('Nothing costs anything.')
    expect(screen.queryByRole('button', { name: 'Copy CSV' })).toBeNull()
  })
})
