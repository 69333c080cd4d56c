import { boardFor } from '@septet/domain'
import { useRef, useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import type { ExplorerBoard, PartitioningConfiguration } from '../content/partitioning.ts'
import { BoardChoice } from './BoardChoice.tsx'
import { afterAdd, afterRemove, beginCut, layoutOn, type Cut } from './partition-cut.ts'
import { offersOf } from './partition-offers.ts'
import { verdictWords } from '../../geometry/partition-words.ts'
import { PartitionBar } from './PartitionBar.tsx'
import { PartitionConfigurations } from './PartitionConfigurations.tsx'
import { PartitionMenu } from './PartitionMenu.tsx'

type Props = {
  /** The first is the one that the configurations are for. */
  readonly boards: readonly [ExplorerBoard, ...ExplorerBoard[]]
  readonly configurations: readonly PartitioningConfiguration[]
  /** Profiles that are on the first board when the page opens. */
  readonly startWith: readonly string[]
  readonly words: { readonly configurations: string; readonly explorer: string }
}

/** The cuts of the specification, and a GPU to cut by hand under the rules of its board. */
export function PartitionExplorer({ boards, configurations, startWith, words }: Props) {
  const [first] = boards
  const [cut, setCut] = useState(() => beginCut(first, startWith))
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
      <PartitionConfigurations
        title={words.configurations}
        configurations={configurations}
        model={first.model}
        onTry={({ name, profiles }) =>
          setCut({
            board: first,
            layout: layoutOn(first, profiles),
            said: `${name} is laid out. Change it as you like.`,
          })
        }
      />
      <section aria-label={words.explorer} className="min-w-0 rounded-card border border-line bg-surface">
        <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-2.5 sm:px-5">
          <h3 className="text-16 font-semibold tracking-tight">{words.explorer}</h3>
          <BoardChoice boards={boards} chosen={cut.board} onChoose={(board) => setCut(beginCut(board, []))} />
        </header>
        <Explorer cut={cut} onChange={setCut} />
      </section>
    </div>
  )
}

function Explorer({ cut, onChange }: { readonly cut: Cut; readonly onChange: (cut: Cut) => void }) {
  const bar = useRef<HTMLFieldSetElement>(null)
  const board = boardFor(cut.board.model)
  if (board === undefined) return undefined
  const verdict = verdictWords(board, cut.layout)
  const remove = (index: number): void => {
    onChange(afterRemove(cut, index))
    // The button that had the focus is gone.
    bar.current?.focus()
  }
  return (
    <>
      <div className="px-4 py-3 sm:px-5">
        <PartitionBar reference={bar} board={board} layout={cut.layout} onRemove={remove} />
        <div className="mt-3 flex min-h-16 items-start sm:min-h-11 justify-between gap-4">
          <div className="text-13 text-pretty sm:text-14">
            {cut.said !== '' && <p className="font-medium sm:hidden">{cut.said}</p>}
            <p>{verdict}</p>
          </div>
          <Button
            aria-disabled={cut.layout.length === 0}
            onClick={() => onChange({ ...cut, layout: [], said: 'All instances removed.' })}
          >
            Clear
          </Button>
        </div>
        <output className="sr-only">{cut.said === '' ? '' : `${cut.said} ${verdict}`}</output>
      </div>
      <PartitionMenu
        board={board}
        offers={offersOf(board, cut.layout)}
        onAdd={(offer) => onChange(afterAdd(cut, offer))}
        onPlaceAnew={(layout) => onChange({ ...cut, layout, said: 'All instances rearranged.' })}
      />
    </>
  )
}
