import { workWords } from '@septet/contract/saving-words'
import { dollars, grouped } from '@septet/domain/words'

import type { Answer } from '../../../api.ts'
import { useAnswer } from '../../client/use-answer.ts'

type Saving = Answer<'savingsList'>['savings'][number]
type Props = { readonly action: string; readonly cluster: string | undefined }

/** What the ledger says that an action saved so far; nothing where it saves no GPU-hours or changed nothing yet. */
export function MeasuredSaving({ action, cluster }: Props) {
  const saving = useAnswer('savingsList', { cluster }).data?.savings.find((each) => each.action === action)
  if (saving === undefined || saving.appliedAt === null) return 'Nothing to measure yet.'
  return (
    <>
      <span className="block font-mono">{amountOf(saving)}</span>
      <span className="block text-12 text-ink-soft">{saving.because}</span>
      <span className="block text-12 text-ink-quiet">{workWords(saving)}</span>
    </>
  )
}

function amountOf({ realized, effect }: Saving): string {
  if (realized === null) return 'Unknown'
  const { gpuHours, usd } = realized
  const range =
    gpuHours.low === null || gpuHours.high === null ? '' : ` (${hours(gpuHours.low)} to ${hours(gpuHours.high)})`
  const money = usd === null ? '' : `, ${dollars(usd.value)}`
  return `${hours(gpuHours.value)} GPU-h${range}${money} ${effect === 'bill-reduced' ? 'off the bill' : 'freed'}`
}

const hours = (amount: number): string => grouped(amount, 1)
