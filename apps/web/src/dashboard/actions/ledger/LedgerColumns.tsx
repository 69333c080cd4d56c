import { monthlyWords, savedWords } from '@septet/contract/estimate-words'
import { measuredRange, measuredWords } from '@septet/contract/saving-words'
import { plural } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { Ledger } from './saving-states.ts'

type Column = Ledger['ledger']['billReduced']

/** The bill and the capacity apart, for only one of the two is money that is no longer paid. */
export const LedgerColumns = ({ ledger: { billReduced, capacityFreed } }: Pick<Ledger, 'ledger'>) => (
  <div className="grid gap-4 lg:grid-cols-2">
    <Totals title="Bill reduced" note="From removed machines." column={billReduced} />
    <Totals
      title="Capacity freed"
      note="Value of GPU time freed for other work. The bill stays the same."
      column={capacityFreed}
    />
  </div>
)

type Props = { readonly title: string; readonly note: string; readonly column: Column }

const Totals = ({ title, note, column: { realized, estimated } }: Props) => (
  <section aria-label={title} className="rounded-card border border-line bg-surface px-5 py-4">
    <h2 className="text-13 font-medium">{title}</h2>
    <p className="text-12 text-ink-soft">{note}</p>
    {realized === null ? (
      <p className="mt-2 text-20 font-semibold tracking-tight text-ink-soft">Nothing verified</p>
    ) : (
      <p className="mt-2 flex flex-wrap items-baseline gap-x-3">
        <span className="text-28 font-semibold tracking-[-0.03em] tabular-nums">{measuredWords(realized)}</span>
        <span className="text-13 text-ink-soft">{sureWords(realized)}</span>
      </p>
    )}
    <dl className="mt-3 grid gap-1 border-t border-line pt-2.5 text-12 text-ink-soft">
      {realized !== null && <Measured realized={realized} />}
      <Row name="Not verified yet, estimated">{estimated === null ? 'no actions' : waitingWords(estimated)}</Row>
    </dl>
  </section>
)

function Measured({ realized }: { readonly realized: NonNullable<Column['realized']> }) {
  const { runs, gpuHours, usd, unpriced, unknownHours, promised } = realized
  return (
    <>
      <Row name="Estimated for the same hours">{promised === null ? 'no estimate' : savedWords(promised)}</Row>
      <Row name="Measured">
        {plural(runs, 'action')}
        {usd !== null && `, ${savedWords({ gpuHours: gpuHours.value, usd: null })}`}
      </Row>
      {unknownHours > 0 && <Row name="Hours without comparison">{unknownHours}, not included</Row>}
      {usd !== null && unpriced > 0 && <Row name="Without a price">{plural(unpriced, 'action')}, not included</Row>}
    </>
  )
}

const sureWords = (realized: NonNullable<Column['realized']>): string => {
  const range = measuredRange(realized)
  return range === undefined ? 'verified' : `verified, 90% sure of ${range}`
}

function waitingWords({ runs, unpriced, ...estimate }: NonNullable<Column['estimated']>): string {
  const without = unpriced > 0 && estimate.usdPerMonth !== null ? `, ${unpriced} of them without a price` : ''
  return `${plural(runs, 'action')}, ${monthlyWords(estimate)}${without}`
}

const Row = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt>{name}</dt>
    <dd className="text-right text-ink tabular-nums">{children}</dd>
  </div>
)
