import { grouped, wholePercent } from '@septet/domain/words'
import type { Scenario } from '@septet/domain'

import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { useUrlState } from '../address/url-state.ts'
import type { ScenarioRunning } from './use-scenario-run.ts'

type Props = { readonly scenario: Scenario; readonly running: ScenarioRunning }

/** The button that computes it, and how far it is. */
export function RunBar({ scenario, running: { state, start, cancel } }: Props) {
  const { cluster } = useUrlState()
  const isRunning = state.kind === 'running'
  return (
    <section
      aria-label="Compute"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface px-5 py-3.5"
    >
      {/* One button, so that the focus stays on it while it turns from one into the other. */}
      <Button
        look={isRunning ? 'outline' : 'strong'}
        className="min-h-9 px-4"
        onClick={isRunning ? cancel : () => start(cluster, scenario)}
      >
        {isRunning ? 'Cancel' : 'Compare'}
      </Button>
      {isRunning ? (
        <Progress state={state} />
      ) : (
        <p className="min-w-0 flex-1 basis-48 text-12 text-ink-soft">Runs on the server, for two minutes at most.</p>
      )}
      <CopyButton text={() => location.href} label="Copy link" />
    </section>
  )
}

type Running = Extract<ScenarioRunning['state'], { readonly kind: 'running' }>

function Progress({ state }: { readonly state: Running }) {
  const { done, of, ahead } = state
  const share = of === 0 ? 0 : Math.min(1, done / of)
  return (
    <div className="grid min-w-0 flex-1 basis-56 gap-1">
      <progress
        aria-label="Events computed"
        max={1}
        value={share}
        className="h-2 w-full overflow-hidden rounded-full accent-(--busy)"
      />
      <output className="font-mono text-12 text-ink-soft">
        {ahead > 0
          ? `${ahead} ahead in the queue`
          : of === 0
            ? 'reading the history'
            : `${grouped(Math.min(done, of))} of about ${grouped(of)} events, ${wholePercent(share)}`}
      </output>
    </div>
  )
}
