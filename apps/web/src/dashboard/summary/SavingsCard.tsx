import type { FigureView } from '@septet/contract'

import type { Answer } from '../../api.ts'
import { intervalWords } from '@septet/contract/figure-words'
import { FigureText } from '../../ui/FigureText.tsx'
import { To } from '../address/To.tsx'
import { StatCard } from './StatCard.tsx'

type Savings = Answer<'summaryGet'>['savings']

/**
 * What was verified off the bill leads once there is any; until then what the open recommendations would take off it, as the
 * Actions screen has it. Bill and capacity, verified and estimated stand apart and are never added.
 */
export function SavingsCard({ savings }: { readonly savings: Savings }) {
  const { verified, bill } = savings
  if (verified.quality === 'sample') return <SampleSavings savings={savings} />
  const isVerified = verified.value !== null
  return (
    <StatCard
      title="Total Cost Savings"
      headline={
        <>
          <FigureText figure={isVerified ? verified : bill} name={isVerified ? VERIFIED : BILL} size="headline" />
          <span className="text-12 text-ink-quiet">{isVerified ? 'verified' : 'estimated'}</span>
        </>
      }
      note={
        isVerified ? (
          measuredWords(verified)
        ) : (
          // Only removing a node takes something off the bill.
          <To path="/actions" more={{ kind: 'remove-node' }} look="plain">
            {savings.note}
          </To>
        )
      }
    >
      <Rows savings={savings} />
    </StatCard>
  )
}

function Rows({ savings: { verified, freed, bill, capacity } }: { readonly savings: Savings }) {
  const isVerified = verified.value !== null
  const isFreed = freed.value !== null
  return (
    <dl className="border-t border-dashed border-line pt-2 text-12 text-ink-soft">
      {isVerified && <Row name="Off the bill, estimated" label={BILL} figure={bill} />}
      {!isVerified && !isFreed && <Row name="Verified" label={VERIFIED} figure={verified} unknown="None yet" />}
      {isFreed && <Row name="Capacity freed, verified" label="Verified capacity freed" figure={freed} />}
      <Row name={isFreed ? 'Capacity freed, estimated' : 'Capacity freed'} label="Capacity freed" figure={capacity} />
    </dl>
  )
}

function measuredWords(figure: FigureView): string {
  const sure = intervalWords(figure)
  return sure === undefined ? 'Measured after nodes were removed' : `Measured after nodes were removed: ${sure}`
}

const VERIFIED = 'Verified savings'
const BILL = 'Estimated bill reduction'

type RowProps = {
  readonly name: string
  readonly label: string
  readonly figure: FigureView
  readonly unknown?: string
}

const Row = ({ name, label, figure, unknown = 'Unknown' }: RowProps) => (
  <div className="flex min-h-6 items-center justify-between gap-3">
    <dt>{name}</dt>
    <dd className="text-right">
      <FigureText figure={figure} name={label} unknown={unknown} />
      {figure.interval !== undefined && <span className="block text-ink-quiet">{intervalWords(figure)}</span>}
    </dd>
  </div>
)

const SampleSavings = ({ savings: { verified, change, note } }: { readonly savings: Savings }) => (
  <StatCard
    title="Total Cost Savings"
    headline={<FigureText figure={verified} name="Total cost savings" size="headline" />}
    note={change === null ? note : <Change text={change} />}
  >
    <p className="flex min-h-5 items-baseline border-t border-dashed border-line pt-2.5 text-12 text-ink-soft">
      {note}
    </p>
  </StatCard>
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
