import type { OutputOf, savingsList } from '@septet/contract'
import {
  measuredRange,
  measuredWords,
  monthlyWords,
  SAVING_STATE_WORDS,
  workWords,
  savedWords,
} from '@septet/contract/saving-words'
import { plural } from '@septet/domain/words'

import { textTable } from '../report/table.ts'

type Ledger = OutputOf<typeof savingsList>
type Saving = Ledger['savings'][number]
type Column = Ledger['ledger']['billReduced']

/** What was measured in all, the bill and the capacity apart, and a row for each action. */
export function formatSavings({ savings, ledger, source }: Ledger): string {
  const rows =
    savings.length === 0
      ? [`${source.name} has no measured actions in this period.`]
      : textTable(savings, [
          { title: 'Id', text: ({ action }) => action },
          { title: 'State', text: ({ state }) => SAVING_STATE_WORDS[state] },
          { title: 'Estimated', text: ({ estimate }) => monthlyWords(estimate), right: true },
          { title: 'Measured', text: measuredText, right: true },
          { title: 'Hours', text: hoursText, right: true },
          { title: 'Why', text: (saving) => [saving.because, workWords(saving)].join(' ').trim() },
          { title: 'Change', text: ({ title }) => title },
        ])
  return [
    `Bill reduced:   ${totalText(ledger.billReduced)}`,
    `Capacity freed: ${totalText(ledger.capacityFreed)}`,
    '',
    ...rows,
    '',
  ].join('\n')
}

function totalText({ realized, estimated }: Column): string {
  const waiting =
    estimated === null ? '' : `; ${plural(estimated.runs, 'more')} estimated at ${monthlyWords(estimated)}`
  if (realized === null) return `nothing verified${waiting}`
  const { promised, unknownHours } = realized
  const beside = promised === null ? '' : `, estimated ${savedWords(promised)} for the same hours`
  const unknown = unknownHours === 0 ? '' : `, ${plural(unknownHours, 'hour')} unknown`
  return `${measuredWords(realized)}${sureText(realized)} of ${plural(realized.runs, 'action')}${beside}${unknown}${waiting}`
}

function measuredText({ realized, effect }: Saving): string {
  if (realized === null) return 'unknown'
  return `${measuredWords(realized)}${sureText(realized)} ${effect === 'bill-reduced' ? 'off the bill' : 'freed'}`
}

function sureText(measured: Parameters<typeof measuredRange>[0]): string {
  const range = measuredRange(measured)
  return range === undefined ? '' : ` (${range})`
}

const hoursText = ({ realized }: Saving): string =>
  realized === null ? 'none' : `${realized.knownHours} of ${realized.knownHours + realized.unknownHours}`
