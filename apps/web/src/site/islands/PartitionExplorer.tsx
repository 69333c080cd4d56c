import { type Board, boardFor, inferPlacements, type Layout } from '@septet/domain'
import { useId, useRef, useState } from 'react'

import type partitioning from '../../../content/partitioning.json'
import { SlotRow } from '../../geometry/SlotRow.tsx'
import { cutVerdictWords, span } from '../../geometry/partition-words.ts'
import { Button } from '../../ui/Button.tsx'
import { PartitionBar } from './PartitionBar.tsx'
import { PartitionMenu } from './PartitionMenu.tsx'
import { addTo, type Offer, offersOf } from './partition-offers.ts'

/** `board` is the one that the configurations are for; `startWith` are the profiles on it when the page opens. */
type Props = Pick<typeof partitioning, 'board' | 'otherBoards' | 'configurations' | 'startWith' | 'words'>

/** The cuts of the specification, and a GPU to cut by hand under the rules of its board. */
export function PartitionExplorer({ board: first, otherBoards, configurations, startWith, words }: Props) {
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
          <BoardChoice
            boards={[first, ...otherBoards]}
            chosen={cut.board}
            onChoose={(board) => setCut(beginCut(board, []))}
          />
        </header>
        <Explorer cut={cut} onChange={setCut} />
      </section>
    </div>
  )
}

function Explorer({ cut, onChange }: { readonly cut: ShownCut; readonly onChange: (cut: ShownCut) => void }) {
  const bar = useRef<HTMLFieldSetElement>(null)
  const board = boardFor(cut.board.model)
  if (board === undefined) return undefined
  const verdict = cutVerdictWords(board, cut.layout)
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

type ChoiceProps = {
  readonly boards: readonly ExplorerBoard[]
  readonly chosen: ExplorerBoard
  readonly onChoose: (board: ExplorerBoard) => void
}

/** Which board is cut. */
function BoardChoice({ boards, chosen, onChoose }: ChoiceProps) {
  const name = useId()
  return (
    <fieldset className="flex max-w-full flex-wrap gap-0.5 rounded-control bg-sunken p-0.5">
      <legend className="sr-only">Board</legend>
      {boards.map((board) => (
        <label
          key={board.label}
          className="cursor-pointer rounded-[5px] px-1 py-1 sm:px-2 font-mono text-12 text-ink-soft transition-colors hover:text-ink has-[:checked]:bg-surface has-[:checked]:text-ink has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={board.label}
            checked={board.label === chosen.label}
            onChange={() => onChoose(board)}
            className="sr-only"
          />
          {board.label}
        </label>
      ))}
    </fieldset>
  )
}

/** A way to cut one board, as the specification lists them. */
type PartitioningConfiguration = (typeof partitioning.configurations)[number]

type PartitionConfigurationsProps = {
  readonly title: string
  readonly configurations: readonly PartitioningConfiguration[]
  /** The model of the board that they are for. */
  readonly model: string
  readonly onTry: (configuration: PartitioningConfiguration) => void
}

/** The cuts of the specification, each drawn at its real placements and ready to be taken apart. */
function PartitionConfigurations({ title, configurations, model, onTry }: PartitionConfigurationsProps) {
  const board = boardFor(model)
  if (board === undefined) return undefined
  return (
    <div>
      <h3 className="text-16 font-semibold tracking-tight">{title}</h3>
      <ul className="mt-3">
        {configurations.map((configuration) => (
          <Configuration key={configuration.name} {...{ configuration, model, board, onTry }} />
        ))}
      </ul>
    </div>
  )
}

type OneProps = Pick<PartitionConfigurationsProps, 'model' | 'onTry'> & {
  readonly configuration: PartitioningConfiguration
  readonly board: Board
}

function Configuration({ configuration, model, board, onTry }: OneProps) {
  const { name, instances, useCase, profiles } = configuration
  return (
    <li className="border-t border-line-strong py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h4 className="font-mono text-16 font-medium">{name}</h4>
        <p className="font-mono text-12 text-ink-quiet">{instances}</p>
      </div>
      <div className="mt-2">
        <SlotRow board={board} layout={layoutOn({ label: name, model }, profiles)} look="strong" />
      </div>
      <div className="mt-2 flex items-center justify-between gap-x-4">
        <p className="text-13 text-pretty text-ink-soft">{useCase}</p>
        <Button className="shrink-0 noscript:hidden" onClick={() => onTry(configuration)}>
          Edit<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  )
}

/** A board to try: what it is called here, and the name by which its driver reports it. */
type ExplorerBoard = { readonly label: string; readonly model: string }

/** A GPU being cut by hand. */
type ShownCut = {
  readonly board: ExplorerBoard
  readonly layout: Layout
  /** What the last press did, for those who do not see the bar change. */
  readonly said: string
}

/** These profiles on a board, at real placements. */
export const beginCut = (board: ExplorerBoard, profiles: readonly string[]): ShownCut => ({
  board,
  layout: layoutOn(board, profiles),
  said: '',
})

/** Adds the instance where the offer says; where it does not fit, nothing changes but what is said. */
export function afterAdd(cut: ShownCut, offer: Offer): ShownCut {
  const board = boardFor(cut.board.model)
  const layout = board && addTo(board, cut.layout, offer)
  const { name } = offer.profile
  return layout === undefined
    ? { ...cut, said: `${name} does not fit. ${offer.because}` }
    : { ...cut, layout, said: `${name} added. ${offer.because}` }
}

/** Takes out one instance; the others stay where they are, as on a GPU. */
export function afterRemove(cut: ShownCut, index: number): ShownCut {
  const gone = cut.layout[index]
  if (gone === undefined) return cut
  const layout = cut.layout.filter((instance) => instance !== gone)
  return { ...cut, layout, said: `${gone.profile} removed from ${span(gone.placement)}.` }
}

/** Real placements of these profiles, left to right; nothing where the board cannot hold them. */
export function layoutOn({ model }: ExplorerBoard, profiles: readonly string[]): Layout {
  const board = boardFor(model)
  const layout = board && inferPlacements(board, profiles)
  return (layout ?? []).toSorted((a, b) => a.placement.start - b.placement.start)
}
