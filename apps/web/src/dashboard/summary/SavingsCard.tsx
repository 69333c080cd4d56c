import type { FigureView } from '@septet/contract'

import type { Answer } from '../../api.ts'
import { FigureText } from '../../ui/FigureText.tsx'
import { StatCard } from './StatCard.tsx'

type Savings = Answer<'summaryGet'>['savings']
type Kind = 'verified' | 'estimated'

/** Verified and estimated savings stand apart and are never added: one was measured, the other could be. */
export function SavingsCard({ savings }: { readonly savings: Savings }) {
  const first: Kind = savings.verified.value === null && savings.estimated.value !== null ? 'estimated' : 'verified'
  const second: Kind = first === 'verified' ? 'estimated' : 'verified'
  const change = savings.change ?? undefined
  return (
    <StatCard
      title="Total Cost Savings"
      headline={
        <>
          <FigureText figure={savings[first]} name={NAMES[first]} size="headline" />
          {savings[first].quality !== 'sample' && <span className="text-12 text-ink-quiet">{first}</span>}
        </>
      }
      note={change === undefined ? savings.note : <Change text={change} />}
    >
      <p className="flex min-h-5 items-baseline justify-between gap-3 border-t border-dashed border-line pt-2.5 text-12 text-ink-soft">
        {savings[first].quality === 'sample' ? (
          <span>{savings.note}</span>
        ) : (
          <Second kind={second} figure={savings[second]} />
        )}
      </p>
    </StatCard>
  )
}

const Second = ({ kind, figure }: { readonly kind: Kind; readonly figure: FigureView }) => (
  <>
    {kind === 'verified' ? 'Verified' : 'Estimated'}
    <FigureText figure={figure} name={NAMES[kind]} {...(kind === 'verified' ? { unknown: 'None yet' } : {})} />
  </>
)

/** "+18% vs last month" with the number in color; the sign already says the direction. */
function Change({ text }: { readonly text: string }) {
  const [, amount = '', rest = text] = /^([+−-]\S+)(.*)$/u.exec(text) ?? []
  return (
    <>
      <span className="font-medium text-busy-ink">{amount}</span>
      {rest}
    </>
  )
}

const NAMES = { verified: 'Verified savings', estimated: 'Estimated savings' } satisfies Record<Kind, string>
