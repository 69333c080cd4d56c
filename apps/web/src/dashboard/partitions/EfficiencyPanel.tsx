import { grouped, plural } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { Answer } from '../../api.ts'
import { FigureText } from '../../ui/FigureText.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { figureInWords } from '@septet/contract/figure-words'

import { Panel } from '../../ui/Panel.tsx'
import { Answered } from '../panel/Answered.tsx'
import type { Column } from '../table/column.ts'
import { MIG_NUMBERS } from '../words/mig-numbers.ts'
import { DataTable } from '../table/DataTable.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'

type Efficiency = Answer<'partitionsEfficiency'>
type Board = Efficiency['boards'][number]

/** The four numbers of MIG efficiency, for the fleet and by board. They are not one number, so none is made of them. */
export function EfficiencyPanel() {
  const { cluster } = useUrlState()
  const answer = useAnswer('partitionsEfficiency', { cluster })
  return (
    <Panel
      title="MIG efficiency"
      aside={
        answer.data !== undefined && (
          <span className="text-12 text-ink-quiet">{plural(answer.data.fleet.gpus, 'GPU')} in MIG mode</span>
        )
      }
    >
      <Answered answer={answer}>
        {(data) =>
          data.source.kind === 'sample' ? (
            <p className="max-w-3xl text-13 text-ink-soft">
              Sample data has only the one MIG efficiency shown on Summary.
            </p>
          ) : data.fleet.gpus === 0 ? (
            <p className="max-w-3xl text-13 text-ink-soft">
              No GPU here is in MIG mode. See Fleet for whole and time-sliced GPUs.
            </p>
          ) : (
            <Figures data={data} />
          )
        }
      </Answered>
    </Panel>
  )
}

function Figures({ data }: { readonly data: Efficiency }) {
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-4">
        {MIG_NUMBERS.map(({ key, name, words }) => (
          <div key={key} className="grid content-start gap-1">
            <dt className="text-13 text-ink-soft">{name}</dt>
            <dd className="grid gap-1.5">
              <FigureText figure={data.fleet[key]} name={name} size="headline" />
              <Meter
                value={data.fleet[key].value ?? undefined}
                label={name}
                words={figureInWords(data.fleet[key]).value}
                meaning={key === 'fragmentation' ? 'stranded' : 'busy'}
              />
              <span className="text-12 text-ink-quiet">{key === 'busy' ? `${words} in the last hour` : words}</span>
            </dd>
          </div>
        ))}
      </dl>
      {data.boards.length > 0 && (
        <DataTable
          caption="MIG efficiency by board"
          columns={COLUMNS}
          rows={data.boards}
          keyOf={({ model }) => model}
          sortParameter="boards"
          empty="No board."
        />
      )}
    </div>
  )
}

/** Undefined for anyone who may see some namespaces only: a slice is stranded by all that a GPU holds. */
const strandedOf = ({ structural, byPlacement }: Board): number | undefined =>
  structural === null || byPlacement === null ? undefined : structural + byPlacement

const COLUMNS: readonly Column<Board>[] = [
  {
    id: 'model',
    name: 'Board',
    cell: ({ model }) => <span className="font-medium">{model}</span>,
    sortBy: ({ model }) => model,
    width: '19%',
  },
  {
    id: 'gpus',
    name: 'GPUs',
    cell: ({ gpus }) => <Count>{grouped(gpus)}</Count>,
    sortBy: ({ gpus }) => gpus,
    largestFirst: true,
    align: 'right',
    width: '8%',
  },
  ...MIG_NUMBERS.map(({ key, name }): Column<Board> => ({
    id: key,
    name: name.replace('Slice ', '').replace(/^./u, (letter) => letter.toUpperCase()),
    cell: (board) => <FigureText figure={board[key]} name={`${name} of ${board.model}`} />,
    sortBy: (board) => board[key].value ?? undefined,
    largestFirst: true,
    text: (board) => (board[key].value === null ? '' : String(board[key].value)),
    align: 'right',
    ...(key === 'fragmentation' ? { width: '17%' } : {}),
  })),
  {
    id: 'stranded',
    name: 'Stranded slices',
    cell: (board) =>
      strandedOf(board) === undefined ? (
        <span className="text-12 text-ink-quiet">Not shown</span>
      ) : (
        <Count>
          {strandedOf(board)}
          <span className="text-ink-quiet"> of {grouped(board.computeSlices)}</span>
        </Count>
      ),
    sortBy: strandedOf,
    largestFirst: true,
    text: (board) => String(strandedOf(board) ?? ''),
    align: 'right',
    width: '17%',
  },
]

const Count = ({ children }: { readonly children: ReactNode }) => (
  <span className="figure font-mono text-13">{children}</span>
)
