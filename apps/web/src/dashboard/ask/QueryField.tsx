import { LONGEST_LINE } from '@septet/contract/copilot-questions'
import { useId, useState, type KeyboardEvent } from 'react'

import type { Answer } from '../../api.ts'
import { SearchIcon } from '../../ui/dashboard-icons.tsx'

type Props = {
  readonly value: string
  readonly change: (line: string) => void
  readonly completions: Answer<'queryAsk'>['completions']
}

/** The line, and how it may go on: the arrow keys point at one, Enter or Tab takes it. */
export function QueryField({ value, change, completions }: Props) {
  const id = useId()
  const [pointed, setPointed] = useState(-1)
  const at = Math.min(pointed, completions.length - 1)
  const take = (line: string): void => {
    change(line)
    setPointed(-1)
  }
  const pressed = (event: KeyboardEvent): void => {
    const { key } = event
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const chosen = completions[at]
    if (step !== 0 && completions.length > 0)
      setPointed((at + step + completions.length + 1) % (completions.length + 1))
    else if (key === 'Escape' && at >= 0) setPointed(-1)
    else if ((key === 'Enter' || key === 'Tab') && chosen !== undefined) take(chosen.line)
    else return
    event.preventDefault()
  }
  return (
    <div className="grid gap-2">
      <div className="relative">
        <span className="pointer-events-none absolute inset-y-0 left-3.5 flex items-center text-ink-quiet">
          <SearchIcon />
        </span>
        <input
          role="combobox"
          aria-label="Your line"
          aria-expanded={completions.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
          autoComplete="off"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever opens this screen came to type
          autoFocus
          maxLength={LONGEST_LINE}
          placeholder="cost by namespace, this week vs last week"
          value={value}
          onChange={({ target }) => take(target.value)}
          onKeyDown={pressed}
          className="h-12 w-full rounded-card border border-(--free) bg-surface pr-4 pl-10 text-16 placeholder:text-ink-quiet hover:border-ink-quiet"
        />
      </div>
      <CompletionList id={id} at={at} completions={completions} take={take} />
    </div>
  )
}

type ListProps = Pick<Props, 'completions'> & {
  readonly id: string
  readonly at: number
  readonly take: (line: string) => void
}

/** They stand in a row, as chips: a list of a browser would lie over what the line was read as. */
const CompletionList = ({ id, at, completions, take }: ListProps) => (
  <div
    id={`${id}-list`}
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select takes the focus from the line
    role="listbox"
    aria-label="How the line may go on"
    className="flex flex-wrap gap-1.5 empty:hidden"
  >
    {completions.map(({ line, label, kind }, order) => (
      <button
        key={line}
        id={`${id}-${order}`}
        type="button"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
        role="option"
        tabIndex={-1}
        aria-selected={order === at}
        onClick={() => take(line)}
        className={`inline-flex min-h-8 max-w-full items-baseline gap-1.5 rounded-control border px-2.5 py-1 text-13 wrap-anywhere ${order === at ? 'border-(--accent) bg-sunken' : 'border-line bg-surface hover:border-line-strong'}`}
      >
        {label} <span className="text-12 text-ink-quiet">{kind}</span>
      </button>
    ))}
  </div>
)
