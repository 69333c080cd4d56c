import type { ReactNode } from 'react'

import { ChevronRightIcon } from '../../../ui/icons.tsx'
import { CLASS_WORDS, type Action } from '../../acting/action-words.ts'
import { savingWords } from '../../recommendation/recommendation-words.ts'

type Props = {
  readonly action: Action
  readonly isOpen: boolean
  readonly onOpen: (id: string) => void
  /** Below the title: what matters in the state that it is in. */
  readonly children: ReactNode
  /** At the right on a wide screen, below on a narrow one. */
  readonly aside: ReactNode
}

/** One action; the whole row opens its card. */
export const ActionRow = ({ action, isOpen, onOpen, children, aside }: Props) => (
  <li>
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => onOpen(action.id)}
      className="-mx-2 grid w-[calc(100%+1rem)] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-control px-2 py-1.5 text-left transition-colors hover:bg-sunken aria-expanded:bg-sunken sm:grid-cols-[minmax(0,1fr)_15rem_auto]"
    >
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <span className="text-13 font-medium wrap-anywhere">
          <bdi>{action.title}</bdi>
        </span>
        <span className="text-12 text-ink-soft wrap-anywhere">{children}</span>
      </span>
      <span className="min-w-0 text-12 max-sm:col-start-1 max-sm:row-start-2">{aside}</span>
      <span className="text-ink-quiet max-sm:row-span-2 max-sm:row-start-1 max-sm:col-start-2">
        <ChevronRightIcon />
      </span>
    </button>
  </li>
)

/** "Reclaim idle · $310/mo · stops 1 pod". */
export const briefWords = (action: Action, reach: string): string =>
  [CLASS_WORDS[action.class], savingWords(action.saving).amount, reach].join(' · ')
