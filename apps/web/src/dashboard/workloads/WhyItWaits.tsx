import { waitCause } from '@septet/domain'
import { duration } from '@septet/domain/words'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { WarningIcon } from '../../ui/icons.tsx'

import type { WorkloadAnswer } from './use-workloads.ts'

type Wait = NonNullable<WorkloadAnswer['wait']>
type Props = { readonly data: WorkloadAnswer; readonly wait: Wait }

/** The cause in plain words, then the scheduler's or Kueue's own, what keeps it from starting and what would start it. */
export function WhyItWaits({ data, wait }: Props) {
  const { duration: seconds } = data.workload
  const cause = waitCause(wait)
  return (
    <section aria-labelledby="why-it-waits" className="grid gap-3">
      <h3 id="why-it-waits" className="flex items-baseline justify-between gap-4 text-13 font-semibold">
        Why it waits
        {seconds !== null && (
          <span className="font-mono text-12 font-normal text-ink-soft">for {duration(seconds)}</span>
        )}
      </h3>
      {cause !== '' && <p className="text-13">{cause}</p>}
      <figure className="rounded-control border border-line bg-sunken/50 px-3 py-2.5">
        <blockquote dir="auto" className="text-13 wrap-anywhere whitespace-pre-line">
          {wait.message === '' ? 'No message.' : wait.message}
        </blockquote>
        <figcaption className="mt-1 text-12 text-ink-quiet">
          {data.podCount === 0 ? 'Its queue' : 'The scheduler'} says{' '}
          <bdi className="font-mono">{wait.reason === '' ? 'no reason' : wait.reason}</bdi>
        </figcaption>
      </figure>
      <Lines title="What keeps it from starting" lines={wait.because} />
      <Lines title="Unknown" lines={wait.unknown} />
      <Ways wait={wait} podCount={data.podCount} />
      {wait.withheld !== null && <p className="text-12 text-ink-quiet">{wait.withheld}</p>}
    </section>
  )
}

function Ways({ wait, podCount }: { readonly wait: Wait; readonly podCount: number }) {
  if (wait.ways.length === 0) {
    return (
      <p className="text-13 text-ink-soft">
        {podCount === 0
          ? 'It has no pods yet, so nothing was scheduled. No known quota is blocking it.'
          : wait.withheld === null &&
            wait.because.length + wait.unknown.length === 0 &&
            'Nothing that Septet reads keeps it from starting.'}
      </p>
    )
  }
  return (
    <div className="grid gap-1">
      <h4 className="text-12 text-ink-quiet">What would start it</h4>
      <ul className="grid gap-1.5 text-13">
        {wait.ways.map(({ kind, sentence, patch }) => (
          <li key={sentence} className="grid grid-cols-[auto_minmax(0,1fr)] gap-2">
            <span className={NEAR.has(kind) ? 'text-busy-ink' : 'text-ink-quiet'} aria-hidden>
              {LIMITS.has(kind) ? <WarningIcon /> : '→'}
            </span>
            <div className="grid gap-1.5">
              <bdi className="wrap-anywhere">{sentence}</bdi>
              {patch !== null && <Patch {...patch} />}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Patch = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <details className="text-12">
    <summary className="cursor-pointer text-ink-soft hover:text-ink">Manifest change: {name}</summary>
    <div className="mt-1.5 grid justify-items-start gap-1">
      <pre className="rounded-control border border-line bg-sunken/50 px-3 py-2.5 font-mono whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
      <CopyButton text={() => text} label="Copy patch" />
    </div>
  </details>
)

const NEAR: ReadonlySet<string> = new Set(['free', 'recut', 'move'])
const LIMITS: ReadonlySet<string> = new Set(['quota', 'queue', 'volume'])

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div className="grid gap-1">
      <h4 className="text-12 text-ink-quiet">{title}</h4>
      <ul className="grid gap-1 text-13">
        {lines.map((line) => (
          <li key={line}>
            <bdi className="wrap-anywhere">{line}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
