import type { ReactNode } from 'react'

import type { Answer } from '../../api.ts'
import { FigureText } from '../../ui/FigureText.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { figureWords } from '@septet/contract/figure-words'

import { Panel } from '../../ui/Panel.tsx'
import { Answered } from '../settings/Answered.tsx'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import { useUrlState } from '../url-state.ts'
import { useAnswer } from '../use-answer.ts'

type Efficiency = Answer<'partitionsEfficiency'>
type Board = Efficiency['boards'][number]

const FOUR = [
  { key: 'coverage', name: 'Slice coverage', words: 'cut into instances, of all compute slices' },
  { key: 'allocation', name: 'Slice allocation', words: 'held by workloads, of those cut' },
  { key: 'busy', name: 'Slice busy', words: 'computing, of those held; last hour' },
  {
    key: 'fragmentation',
    name: 'Fragmentation',
    words: 'free, but where no instance of a profile could go, over all profiles',
  },
] as const satisfies readonly { readonly key: keyof Board; readonly name: string; readonly words: string }[]

/** The four numbers of MIG efficiency, for the fleet and by board. They are not one number, so none is made of them. */
export function EfficiencyPanel() {
  const { cluster } = useUrlState()
  const answer = useAnswer('partitionsEfficiency', { cluster })
  return (
    <Panel
      title="MIG efficiency, in its four numbers"
      aside={
        answer.data !== undefined && (
          <span className="text-12 text-ink-quiet">
            {answer.data.fleet.gpus.toLocaleString('en-US')} GPUs in MIG mode
          </span>
        )
      }
    >
      <Answered answer={answer}>{(data) => <Figures data={data} />}</Answered>
    </Panel>
  )
}

function Figures({ data }: { readonly data: Efficiency }) {
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-4">
        {FOUR.map(({ key, name, words }) => (
          <div key={key} className="grid content-start gap-1">
            <dt className="text-13 text-ink-soft">{name}</dt>
            <dd className="grid gap-1.5">
              <FigureText figure={data.fleet[key]} name={name} size="headline" />
              <Meter
                value={data.fleet[key].value ?? undefined}
                label={name}
                words={figureWords(data.fleet[key]).value}
              />
              <span className="text-12 text-ink-quiet">{words}</span>
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

const COLUMNS: readonly Column<Board>[] = [
  {
    id: 'model',
    name: 'Board',
    cell: ({ model }) => <span className="font-medium">{model}</span>,
    sortBy: ({ model }) => model,
    text: ({ model }) => model,
    width: '24%',
  },
  {
    id: 'gpus',
    name: 'GPUs',
    cell: ({ gpus }) => <Count>{gpus.toLocaleString('en-US')}</Count>,
    sortBy: ({ gpus }) => gpus,
    largestFirst: true,
    text: ({ gpus }) => String(gpus),
    align: 'right',
  },
  ...FOUR.map(({ key, name }): Column<Board> => ({
    id: key,
    name: name.replace('Slice ', '').replace(/^./u, (letter) => letter.toUpperCase()),
    cell: (board) => <FigureText figure={board[key]} name={`${name} of ${board.model}`} />,
    sortBy: (board) => board[key].value ?? undefined,
    largestFirst: true,
    text: (board) => (board[key].value === null ? '' : String(board[key].value)),
    align: 'right',
  })),
  {
    id: 'stranded',
    name: 'Slices stranded',
    cell: ({ structural, byPlacement, computeSlices }) => (
      <Count>
        {structural + byPlacement}
        <span className="text-ink-quiet"> of {computeSlices.toLocaleString('en-US')}</span>
      </Count>
    ),
    sortBy: ({ structural, byPlacement }) => structural + byPlacement,
    largestFirst: true,
    text: ({ structural, byPlacement }) => String(structural + byPlacement),
    align: 'right',
    width: '16%',
  },
]

const Count = ({ children }: { readonly children: ReactNode }) => (
  <span className="figure font-mono text-13">{children}</span>
)
