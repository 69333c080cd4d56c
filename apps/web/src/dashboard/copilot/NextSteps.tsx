import { Link } from 'react-router'

import type { ShownAnswer } from './copilot-context.ts'
import { usePageLink } from './use-page-link.ts'

type Props = {
  readonly title: string
  readonly next: ShownAnswer['next']
  readonly ask: ((question: string) => void) | undefined
}

/** Where to go from an answer: a question is asked, a page is opened. */
export function NextSteps({ title, next, ask }: Props) {
  const linkOf = usePageLink()
  if (next.length === 0) return undefined
  return (
    <div className="grid gap-1.5">
      <p className="text-12 text-ink-quiet">{title}</p>
      <ul className="flex flex-wrap gap-1.5">
        {next.map(({ label, question, page }) => (
          <li key={label} className="max-w-full">
            {question === null && page !== null ? (
              <Link to={linkOf(page)} className={STEP}>
                {label}
                <span aria-hidden>→</span>
              </Link>
            ) : (
              <button
                type="button"
                aria-disabled={ask === undefined}
                onClick={() => ask?.(question ?? label)}
                className={STEP}
              >
                {label}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Looks like a button that may run over two lines. */
export const STEP =
  'inline-flex min-h-8 items-center gap-1.5 rounded-control border border-line bg-surface px-2.5 py-1 text-left text-13 transition-colors hover:border-line-strong aria-disabled:cursor-progress aria-disabled:text-ink-quiet'
