import { LICENCES } from 'virtual:licences'
import { useState } from 'react'

import { Button } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SearchField } from '../../form/SearchField.tsx'
import { DataTable } from '../../table/DataTable.tsx'
import type { Column } from '../../table/column.ts'

type Licence = (typeof LICENCES)[number]

/** Every package that Septet runs with, as it was built. */
export function Licences() {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const [shown, setShown] = useState(false)
  const rows = LICENCES.filter(({ name, licence }) => `${name} ${licence}`.toLowerCase().includes(wanted))
  return (
    <Panel
      title="Third-party licenses"
      aside={shown ? <SearchField label="Find a package or license" value={search} onChange={setSearch} /> : undefined}
    >
      <p className="mb-3 max-w-3xl text-13 text-ink-soft">
        {LICENCES.length} packages are installed to run it: {SUMMARY}.
      </p>
      {shown ? (
        <DataTable
          caption="Licenses"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ name, version }) => `${name} ${version}`}
          empty="No package matches."
        />
      ) : (
        <div>
          <Button onClick={() => setShown(true)}>Show all</Button>
        </div>
      )}
    </Panel>
  )
}

/** How many have which, the most used licence first. */
const SUMMARY = [...Map.groupBy(LICENCES, ({ licence }) => licence)]
  .map(([licence, some]) => ({ licence, count: some.length }))
  .toSorted((a, b) => b.count - a.count)
  .map(({ licence, count }) => `${count} × ${licence}`)
  .join(', ')

const COLUMNS: readonly Column<Licence>[] = [
  { id: 'name', name: 'Package', cell: ({ name }) => name, sortBy: ({ name }) => name, text: ({ name }) => name },
  {
    id: 'version',
    name: 'Version',
    cell: ({ version }) => <span className="font-mono">{version}</span>,
    text: ({ version }) => version,
    width: '9rem',
  },
  {
    id: 'licence',
    name: 'License',
    cell: ({ licence }) => licence,
    sortBy: ({ licence }) => licence,
    width: '14rem',
  },
]
