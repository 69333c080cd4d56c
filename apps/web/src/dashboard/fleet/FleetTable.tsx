import { wholePercent } from '@septet/domain/words'
import { useMemo } from 'react'

import { SliceBar } from '../../ui/SliceBar.tsx'
import { shortHolder } from '../../ui/slice-words.ts'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import { barOf, fleetRows, type FleetRow } from './fleet-rows.ts'
import type { FleetPicture } from './fleet-picture.ts'

type Props = {
  readonly picture: FleetPicture
  readonly mask: Uint8Array | undefined
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

/** The map in words: one row a GPU, with the same filter and search. */
export function FleetTable({ picture, mask, openId, onOpen }: Props) {
  const rows = useMemo(() => fleetRows(picture, mask), [picture, mask])
  const columns = useMemo(() => columnsOf(picture), [picture])
  return (
    <DataTable
      caption="Every GPU"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      openKey={openId}
      empty="No GPU matches. Clear the search or the filter to see all of them."
    />
  )
}

const columnsOf = (picture: FleetPicture): readonly Column<FleetRow>[] => [
  {
    id: 'gpu',
    name: 'GPU',
    cell: ({ name }) => <GpuName name={name} />,
    sortBy: ({ name }) => name,
    text: ({ name, id }) => `${name} (${id})`,
    width: '22%',
  },
  {
    id: 'model',
    name: 'Model',
    cell: ({ model }) => model,
    sortBy: ({ model }) => model,
    width: '11.5rem',
  },
  {
    id: 'layout',
    name: 'Layout',
    cell: (row) => <RowBar picture={picture} row={row} />,
    width: '16%',
  },
  {
    id: 'busy',
    name: 'Busy of held',
    cell: ({ busy, held }) => (
      <span className={busy === undefined ? 'text-12 text-ink-quiet' : 'figure font-mono'}>
        {busy === undefined ? (held === 0 ? 'Free' : 'Not measured') : wholePercent(busy)}
      </span>
    ),
    sortBy: ({ busy }) => busy,
    largestFirst: true,
    text: ({ busy }) => (busy === undefined ? '' : String(busy)),
    align: 'right',
    width: '7.5rem',
  },
  {
    id: 'holders',
    name: 'Held by',
    cell: ({ holders }) => <Holders holders={holders} />,
    sortBy: ({ holders }) => holders[0],
    text: ({ holders }) => holders.join('; '),
    width: '20%',
  },
  ...STATE_AND_POOL,
]

const STATE_AND_POOL: readonly Column<FleetRow>[] = [
  {
    id: 'state',
    name: 'State',
    cell: ({ state }) => state,
    sortBy: ({ state }) => state,
    width: '8.5rem',
  },
  {
    id: 'pool',
    name: 'Pool',
    cell: ({ pool }) => (
      <bdi className="line-clamp-2 wrap-anywhere" title={pool}>
        {pool}
      </bdi>
    ),
    sortBy: ({ pool }) => pool,
    width: '9rem',
  },
]

/** The end of a long name says which GPU of the node it is, so that the middle is what is cut off. */
function GpuName({ name }: { readonly name: string }) {
  const [, node = '', gpu = name] = /^(.*)( · [^·]*)$/u.exec(name) ?? []
  return (
    <span className="flex min-w-0" title={name}>
      <bdi className="truncate">{node}</bdi>
      <span className="shrink-0 whitespace-pre">{gpu}</span>
    </span>
  )
}

function RowBar({ picture, row }: { readonly picture: FleetPicture; readonly row: FleetRow }) {
  const gpu = barOf(picture, row)
  if (gpu === undefined) return undefined
  const share = gpu.mode === 'mig' ? Math.min(1, gpu.slots / 8) : 1
  return (
    <div className="max-w-48 pt-0.5" style={{ width: `${share * 100}%` }}>
      <SliceBar gpu={gpu} height={14} />
    </div>
  )
}

function Holders({ holders }: { readonly holders: readonly string[] }) {
  const [first, ...rest] = holders
  if (first === undefined) return <span className="text-12 text-ink-quiet">None</span>
  return (
    <span title={holders.join('\n')} className="block truncate">
      <bdi>{shortHolder(first)}</bdi>
      {rest.length > 0 && <span className="text-ink-quiet"> and {rest.length} more</span>}
    </span>
  )
}
