import type { ReactElement, ReactNode } from 'react'

import { Logo } from '../ui/Logo.tsx'
import { SliceTextures } from '../ui/SliceTextures.tsx'
import { clockTime, dayTime, windowWords } from '../ui/time-words.ts'
import { AdviceCard } from './AdviceCard.tsx'
import type { About, CardAnswer } from './card-answer.ts'
import { FleetCard } from './FleetCard.tsx'
import { PlanCard } from './PlanCard.tsx'
import { TrendCard } from './TrendCard.tsx'

/** What is there to draw: an answer, or why there is none yet. */
export type Shown = CardAnswer | { readonly kind: 'waiting' } | { readonly kind: 'cancelled' }

type Props = {
  readonly shown: Shown
  /** Undefined where the host opens no pages. */
  readonly open: ((page: string) => void) | undefined
}

/** One answer of Septet inside a chat: what was measured, when, and the page that shows the same. */
export function Card({ shown, open }: Props) {
  return (
    <main className="grid gap-4 p-4">
      <SliceTextures />
      {drawn(shown, open)}
    </main>
  )
}

function drawn(shown: Shown, open: Props['open']): ReactElement {
  switch (shown.kind) {
    case 'fleet':
      return (
        <Framed title="GPU fleet" about={shown.of} open={open}>
          <FleetCard answer={shown.of} />
        </Framed>
      )
    case 'trend':
      return (
        <Framed title="Utilization over time" about={shown.of} open={open}>
          <TrendCard answer={shown.of} />
        </Framed>
      )
    case 'plan':
      return (
        <Framed title={shown.of.title} about={shown.of} open={open}>
          <PlanCard answer={shown.of} />
        </Framed>
      )
    case 'advice':
      return (
        <Framed title="Recommendations" about={shown.of} open={open}>
          <AdviceCard answer={shown.of} />
        </Framed>
      )
    case 'refused':
      return <Note>{shown.words}</Note>
    case 'cancelled':
      return <Note>Cancelled before Septet answered.</Note>
    case 'waiting':
      break
  }
  return <Note>Waiting for Septet…</Note>
}

const Note = ({ children }: { readonly children: ReactNode }) => (
  <output className="block text-13 text-ink-soft wrap-anywhere">{children}</output>
)

type FramedProps = {
  readonly title: string
  readonly about: About
  readonly open: Props['open']
  readonly children: ReactNode
}

function Framed({ title, about: { cluster, asOf, window, page }, open, children }: FramedProps) {
  return (
    <>
      <header className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h1 className="text-16 font-semibold tracking-[-0.01em] wrap-anywhere">{title}</h1>
          <p className="text-12 text-ink-soft wrap-anywhere">
            {cluster.name}
            {cluster.kind === 'cluster' ? '' : ` · ${KINDS.get(cluster.kind) ?? cluster.kind}`}
          </p>
        </div>
        <span className="text-ink-quiet" title="Septet">
          <Logo size={20} />
        </span>
      </header>
      {children}
      <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line pt-2.5 text-12 text-ink-quiet">
        <span>
          {asOf === null ? 'Sample data, or not read yet' : <time title={dayTime(asOf)}>As of {clockTime(asOf)}</time>}
          {window !== null && ` · ${windowWords(window)}`}
        </span>
        {open === undefined ? (
          <span className="font-mono wrap-anywhere select-all">{page}</span>
        ) : (
          <button
            type="button"
            className="min-h-6 rounded-[4px] text-accent-ink underline-offset-2 hover:underline"
            onClick={() => open(page)}
          >
            Open in Septet
          </button>
        )}
      </footer>
    </>
  )
}

const KINDS = new Map([
  ['demo', 'demo cluster'],
  ['sample', 'sample data'],
])
