import { grouped, wholePercent } from '@septet/domain/words'
import type { Scenario } from '@septet/domain'

import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'

import { Segmented } from '../form/Segmented.tsx'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import type { ScenarioRunning, Where } from './use-scenario-run.ts'

type Props = {
  readonly data: Answer<'scenariosInput'>
  readonly scenario: Scenario
  readonly running: ScenarioRunning
  readonly change: (next: Partial<Scenario>) => void
}

/** Where it is computed, the button that does, and how far it is. */
export function RunBar({ data, scenario, running, change }: Props) {
  const { cluster } = useUrlState()
  const me = useAnswer('sessionMe', {}).data
  const [wanted, setWanted] = useUrlChoice('compute')
  const { state, here, there, cancel } = running
  const isVisitor = me?.kind === 'visitor'
  const source = data.of
  const where: Where = source === null || (wanted === 'server' && !isVisitor) ? 'server' : 'browser'
  const mayStart = where === 'browser' || !isVisitor
  const start = (): void => {
    if (where === 'browser' && source !== null) here(source, scenario)
    else if (mayStart) there(cluster, scenario)
  }
  return (
    <section
      aria-label="Compute"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface px-5 py-3.5"
    >
      <RunButton press={state.kind === 'running' ? cancel : start} {...{ state, mayStart }} />
      {state.kind === 'running' ? (
        <Progress state={state} />
      ) : (
        <>
          {source !== null && !isVisitor && (
            <Segmented
              label="Where to run"
              value={where}
              options={[
                { value: 'browser', label: 'In this browser' },
                { value: 'server', label: 'On the server' },
              ]}
              onChange={(value) => setWanted(value === 'browser' ? undefined : value, { replace: true })}
            />
          )}
          <p className="min-w-0 flex-1 basis-48 text-12 text-ink-soft">{placeWords(data, { where, isVisitor })}</p>
        </>
      )}
      <label className="flex items-center gap-2 text-12 text-ink-soft">
        Seed
        <input
          type="number"
          min={0}
          max={1_000_000}
          value={scenario.seed}
          onChange={({ target: { valueAsNumber } }) => {
            if (Number.isInteger(valueAsNumber) && valueAsNumber >= 0) change({ seed: valueAsNumber })
          }}
          className="h-8 w-24 rounded-control border border-(--free) bg-surface px-2 font-mono text-16 sm:text-13"
        />
      </label>
      <CopyButton text={() => location.href} label="Copy link" />
    </section>
  )
}

type ButtonProps = Pick<ScenarioRunning, 'state'> & { readonly mayStart: boolean; readonly press: () => void }

/** One button, so that the focus stays on it while it turns from one into the other. */
function RunButton({ state, mayStart, press }: ButtonProps) {
  const isRunning = state.kind === 'running'
  return (
    <Button
      look={isRunning ? 'outline' : 'strong'}
      className="min-h-9 px-4"
      aria-disabled={!isRunning && !mayStart}
      onClick={press}
    >
      {isRunning ? 'Cancel' : 'Compare'}
    </Button>
  )
}

type Placing = { readonly where: Where; readonly isVisitor: boolean }

function placeWords({ because, of: source }: Props['data'], { where, isVisitor }: Placing): string {
  if (source === null) return isVisitor ? `${because ?? ''} Sign in to let it.` : (because ?? '')
  if (isVisitor) return 'Runs in this browser. Running on the server needs an account.'
  return where === 'browser'
    ? 'Either way gives the same results. Only anonymized workloads leave the server.'
    : 'One scenario runs at a time, for up to two minutes.'
}

type Running = Extract<ScenarioRunning['state'], { readonly kind: 'running' }>

function Progress({ state }: { readonly state: Running }) {
  const { done, of, ahead, where } = state
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
          ? `waits for ${ahead} before it`
          : of === 0
            ? 'reading what came and went'
            : `${grouped(Math.min(done, of))} of about ${grouped(of)} events, ${wholePercent(share)}, ${where === 'browser' ? 'in this browser' : 'on the server'}`}
      </output>
    </div>
  )
}
