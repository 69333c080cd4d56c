import { useId } from 'react'

import type { ExplorerBoard } from '../content/partitioning.ts'

type Props = {
  readonly boards: readonly ExplorerBoard[]
  readonly chosen: ExplorerBoard
  readonly onChoose: (board: ExplorerBoard) => void
}

/** Which board is cut. */
export function BoardChoice({ boards, chosen, onChoose }: Props) {
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
