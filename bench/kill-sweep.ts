import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Plan, Store } from '@septet/domain'
import { openPostgresStore, startEmbeddedPostgres } from '@septet/storage'

import { ActingDemo } from '../test/act/acting-demo.ts'
import { killCase, type KillCase } from '../test/act/kill-case.ts'
import { SCARCE, someAppointment, someCut, someRemoval, someResize, someShare, someStop } from '../test/act/runs.ts'
import type { Benchmark, Figure } from './benchmark.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

type Fault = Parameters<ActingDemo['demo']['faults']['add']>[0]
type Sweep = {
  readonly name: string
  readonly plan: (acting: ActingDemo) => Promise<Plan>
  readonly fault?: Fault
}

const SWEEPS: readonly Sweep[] = [
  { name: 'cut that displaces a pod', plan: (acting) => someCut(acting, 1) },
  { name: 'cut, mig-manager fails', plan: (acting) => someCut(acting, 1), fault: { kind: 'mig-failed' } },
  {
    name: 'cut, three answers are lost',
    plan: (acting) => someCut(acting, 1),
    fault: { kind: 'answer-lost', times: 3 },
  },
  { name: 'node removed', plan: (acting) => someRemoval(acting, 1) },
  { name: 'GPUs of a node shared', plan: (acting) => someShare(acting) },
  { name: 'StatefulSet stopped', plan: (acting) => someStop(acting, 'StatefulSet') },
  { name: 'Deployment stopped', plan: (acting) => someStop(acting, 'Deployment') },
  { name: 'Deployment made smaller', plan: (acting) => someResize(acting, 'Deployment') },
  {
    name: 'StatefulSet whose smaller pod finds no place',
    plan: (acting) => someResize(acting, 'StatefulSet', SCARCE),
  },
  { name: 'GPUs for an appointment', plan: (acting) => someAppointment(acting) },
  {
    name: 'MIG instances for an appointment',
    plan: (acting) => someAppointment(acting, { profile: '3g.40gb', gpus: 2 }),
  },
]

/** An actor that is killed before and after each call that changes something, and another that takes over. */
export const benchmark: Benchmark = {
  name: 'kill-sweep',
  description:
    'An actor is killed before and after each call that changes the store or the demo cluster; another takes over. Compared: layout, cordons, evictions, state of the run.',
  onDemand: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'septet-sweep-'))
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log: silent })
    const store = await openPostgresStore({ connection: postgres.connection, log: silent })
    try {
      const figures: Figure[] = []
      for (const sweep of SWEEPS) figures.push(...figuresOf(sweep, await casesOf(sweep, store)))
      return figures
    } finally {
      await store.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function casesOf({ plan: planOf, fault }: Sweep, store: Store): Promise<readonly KillCase[]> {
  const found: KillCase[] = []
  for (let killAt = 1; ; killAt += 1) {
    const acting = await ActingDemo.start(store)
    const plan = await planOf(acting)
    if (fault !== undefined) acting.demo.faults.add(fault)
    const one = await killCase(acting, store, { plan, killAt })
    await acting.close()
    await store.actions.forget('demo')
    if (one === undefined) return found
    found.push(one)
  }
}

function figuresOf({ name }: Sweep, cases: readonly KillCase[]): readonly Figure[] {
  const moments = [...Map.groupBy(cases, ({ diedAt }) => diedAt)].map(([moment, own]) => `${own.length} ${moment}`)
  const outcomes = [...Map.groupBy(cases, ({ outcome }) => outcome)].map(([outcome, own]) => `${own.length} ${outcome}`)
  const flawed = cases.filter(({ flaws }) => flaws.length > 0)
  return [
    {
      name: `${name}: moments at which it was killed`,
      figure: cases.length,
      unit: 'cases',
      note: moments.join(', '),
    },
    {
      name: `${name}: not as it must be afterwards`,
      figure: flawed.length,
      unit: 'cases',
      aim: 'none',
      note: [outcomes.join(', '), ...flawed.flatMap(({ diedAt, flaws }) => `${diedAt}: ${flaws.join('; ')}`)].join(
        '. ',
      ),
    },
  ]
}
