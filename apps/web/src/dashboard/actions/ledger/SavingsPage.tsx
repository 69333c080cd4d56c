import { rangeText } from '@septet/domain'

import { usePageTitle } from '../../../ui/use-page-title.ts'
import { CALENDAR_WORDS } from '../../address/range-choice.ts'
import { useUrlChoice, useUrlState } from '../../address/url-state.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Segmented } from '../../form/Segmented.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { ScreenHead } from '../../panel/ScreenHead.tsx'
import { To } from '../../address/To.tsx'
import { LedgerColumns } from './LedgerColumns.tsx'
import type { Ledger } from './saving-states.ts'
import { SavingsTable } from './SavingsTable.tsx'

const PERIODS = [
  { value: 'all', label: 'All time' },
  { value: 'month', label: CALENDAR_WORDS.month },
  { value: 'last-month', label: CALENDAR_WORDS['last-month'] },
] as const

/**
 * What actions were estimated to save and what was measured after them: what an owner shows to anyone who asks what it
 * was worth.
 */
export function SavingsPage() {
  usePageTitle('Savings · Septet')
  const { cluster, zone } = useUrlState()
  const [wanted, choose] = useUrlChoice('period')
  const period = PERIODS.find(({ value }) => value === wanted)?.value ?? 'all'
  const answer = useAnswer('savingsList', { cluster, ...(period === 'all' ? {} : { range: rangeOf(period, zone) }) })
  return (
    <>
      <ScreenHead
        title="Savings"
        lead="Estimated and measured savings of each action, compared with the same hours of the week before. Totals include only measured savings."
        docs="using-the-dashboard#what-was-saved"
        aside={
          <To path="/actions" look="button">
            Actions
          </To>
        }
      />
      <div className="grid grid-cols-1 gap-5">
        <Segmented
          label="Period"
          options={PERIODS}
          value={period}
          onChange={(value) => choose(value === 'all' ? undefined : value)}
        />
        <Answered answer={answer}>{(data) => <Told data={data} isAll={period === 'all'} />}</Answered>
      </div>
    </>
  )
}

const rangeOf = (period: Exclude<(typeof PERIODS)[number]['value'], 'all'>, zone: string): string =>
  rangeText({ kind: 'calendar', name: period, zone })

const Told = ({ data, isAll }: { readonly data: Ledger; readonly isAll: boolean }) => (
  <>
    {data.source.kind !== 'sample' && <LedgerColumns ledger={data.ledger} />}
    <SavingsTable savings={data.savings} empty={emptyWords(data, isAll)} />
    <p className="max-w-3xl text-12 text-ink-quiet">
      Actions are measured for up to four weeks and verified after one week at the earliest. Actions that only start or
      move waiting work are not listed.
    </p>
  </>
)

function emptyWords({ source }: Ledger, isAll: boolean): string {
  if (source.kind === 'sample') return 'Sample data has no actions.'
  return isAll
    ? 'No savings yet. Propose a recommendation on the Actions screen to start.'
    : 'Nothing was measured in this period.'
}
