import type { Scenario } from '@septet/domain'
import { useSearchParams } from 'react-router'

import { To } from '../address/To.tsx'
import { isNotReady, type Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { Answered } from '../panel/Answered.tsx'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { Segmented } from '../form/Segmented.tsx'
import { AppointmentView } from './appointment/AppointmentView.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { useScenarioRun } from '../client/use-computed.ts'
import { FleetBuilder } from './FleetBuilder.tsx'
import { readScenario, writeScenario } from './scenario-url.ts'
import { ScenarioResults } from './ScenarioResults.tsx'
import { StartChoice } from './StartChoice.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { RunButton } from '../form/RunButton.tsx'

/** What would be: the work of this cluster on a supposed fleet, or GPUs that are wanted at an instant. */
export function WhatIfPage() {
  usePageTitle('What if · Septet')
  const [asked, setAsked] = useUrlChoice('ask')
  const asks = asked === 'gpus' ? 'gpus' : 'fleet'
  return (
    <>
      <ScreenHead
        title="What if"
        {...LEADS[asks]}
        aside={
          <To path="/actions" look="button">
            Recommendations
          </To>
        }
      />
      <div className="grid grid-cols-1 gap-5">
        <Segmented
          label="Scenario"
          value={asks}
          options={[
            { value: 'fleet', label: 'Another fleet' },
            { value: 'gpus', label: 'Reserve GPUs' },
          ]}
          onChange={(value) => setAsked(value === 'gpus' ? value : undefined)}
        />
        {asks === 'gpus' ? <AppointmentView /> : <FleetView />}
      </div>
    </>
  )
}

const LEADS = {
  fleet: {
    lead: 'Replay this cluster’s work on this or a different fleet: how many GPUs Septet’s layout needs, and how many today’s does. Nothing changes.',
    docs: 'using-the-dashboard#what-if',
  },
  gpus: {
    lead: 'Reserve GPUs for a set time: which nodes to drain so that the fewest pods stop and the least capacity sits idle.',
    docs: 'using-the-dashboard#reserve-gpus',
  },
}

function FleetView() {
  const { cluster } = useUrlState()
  const [search, setSearch] = useSearchParams()
  const scenario = readScenario(search)
  const change = (next: Partial<Scenario>): void =>
    setSearch((before) => writeScenario(before, { ...readScenario(before), ...next }))
  const input = useAnswer('scenariosInput', { cluster, from: scenario.from })
  return (
    <>
      {isNotReady(input.error) && scenario.from === 'week' && (
        <Button onClick={() => change({ from: 'now' })}>Start from the current workloads</Button>
      )}
      <Answered answer={input}>
        {(data) => <Builder key={data.source.id} data={data} scenario={scenario} change={change} />}
      </Answered>
    </>
  )
}

type Props = {
  readonly data: Answer<'scenariosInput'>
  readonly scenario: Scenario
  readonly change: (next: Partial<Scenario>) => void
}

function Builder({ data, scenario, change }: Props) {
  const running = useScenarioRun()
  const { state } = running
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="grid grid-cols-1 gap-5 xl:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <div className="grid content-start gap-5">
          <StartChoice data={data} scenario={scenario} change={change} />
          <RunBar scenario={scenario} running={running} />
        </div>
        <FleetBuilder groups={data.groups} scenario={scenario} change={change} />
      </div>
      <output className="sr-only">{state.kind === 'done' && `Comparison ready: ${state.result.says}`}</output>
      {state.kind === 'failed' && <NoticeBox tone="fault">{state.problem}</NoticeBox>}
      {state.kind === 'done' && (
        <ScenarioResults result={state.result} window={data.window} scenario={state.asked.scenario} />
      )}
    </div>
  )
}

type RunBarProps = { readonly scenario: Scenario; readonly running: ReturnType<typeof useScenarioRun> }

/** The button that computes it, and how far it is. */
function RunBar({ scenario, running }: RunBarProps) {
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
