import type { OutputOf, savingsList } from '@septet/contract'
import { monthlyWords } from '@septet/contract/estimate-words'
import { measuredRange, measuredWords, SAVING_STATE_WORDS, workWords } from '@septet/contract/saving-words'

import { textTable } from '../report/table.ts'

type Ledger = OutputOf<typeof savingsList>
type Saving = Ledger['savings'][number]

/** What was measured in all, the bill and the capacity apart, and a row for each action. */
export function formatSavings({ savings, says, source }: Ledger): string {
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
  return [...says.map(({ text }) => text), '', ...rows, ''].join('\n')
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
