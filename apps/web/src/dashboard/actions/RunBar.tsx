import { CopyButton } from '../../ui/CopyButton.tsx'
import { useUrlState } from '../address/url-state.ts'
import type { useScenarioRun } from '../client/use-computed.ts'
import { RunButton } from '../form/RunButton.tsx'
import type { Scenario } from '@septet/domain'

type Props = { readonly scenario: Scenario; readonly running: ReturnType<typeof useScenarioRun> }

/** The button that computes it, and how far it is. */
export function RunBar({ scenario, running }: Props) {
  const { cluster } = useUrlState()
  return (
    <section
      aria-label="Compute"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface px-5 py-3.5"
    >
      <RunButton
        running={running}
        start={() => running.start({ scenario, ...(cluster === undefined ? {} : { cluster }) })}
        label="Compare"
        note="Runs on the server, for two minutes at most."
        words={WORDS}
      />
      <CopyButton text={() => location.href} label="Copy link" />
    </section>
  )
}

const WORDS = { of: 'events', before: 'reading the history', name: 'Events computed' }
