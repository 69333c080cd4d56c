import { writeFileSync } from 'node:fs'

import { planFiles, snapshotFileText } from '@septet/plan-files'
import {
  planFleet,
  planFleetExactly,
  proveFleet,
  ratio,
  seconds,
  shippedPrices,
  type ClusterSnapshot,
  type FleetPlan,
  type LinearSolver,
} from '@septet/domain'

import { explainObject } from './explain-object.ts'
import { formatPlan, planDocument } from './format-plan.ts'
import { checkFolder, writePlanFolder, type Written } from './plan-folder.ts'
import { PLAN_HELP, readPlanOptions, type PlanOptions } from './plan-options.ts'
import { readSource, type SourcePorts } from './read-source.ts'
import { runAppointment } from './run-appointment.ts'

/** What a plan needs from outside; `main.ts` joins it. */
export type PlanPorts = SourcePorts & {
  readonly openSolver: () => LinearSolver
  /** Aborted when somebody does not want to wait for the proof any longer. */
  readonly impatience: () => AbortSignal
}

/** `septet plan`: what it prints; files only where `--out` and `--save-snapshot` name a place. */
export async function runPlan(args: readonly string[], ports: PlanPorts): Promise<string> {
  if (args[0] === 'appointment') return runAppointment(args.slice(1), ports)
  if (args.includes('--help')) return `${PLAN_HELP}\n`
  const options = readPlanOptions(args, ports.environment)
  // What would be refused at the end is refused before anybody waits.
  if (options.out !== undefined) checkFolder(options.out, options.force)
  const snapshot = await readSource(options.source, ports)
  if (options.saveSnapshot !== undefined) writeFileSync(options.saveSnapshot, snapshotFileText(snapshot))
  if (options.explain !== undefined) return explainObject(snapshot, options)
  ports.progress.step(1, 3, 'planning')
  const proven = await planned(snapshot, { options, ports })
  ports.progress.end()
  const written = writtenTo(proven, snapshot, options)
  const shown = { found: proven, snapshot, written }
  return options.format === 'json' ? `${JSON.stringify(planDocument(shown), undefined, 2)}\n` : formatPlan(shown)
}

type Planning = { readonly options: PlanOptions; readonly ports: PlanPorts }

/** A solver looks for the best plan only where the goal is cost; for other goals the quick search is all there is. */
async function planned(snapshot: ClusterSnapshot, { options, ports }: Planning): Promise<FleetPlan> {
  const { goal, maxDisplaced, actuator, prove } = options
  const asked = { snapshot, goal, prices: shippedPrices, maxDisplaced }
  const question = actuator === undefined ? asked : { ...asked, actuator }
  if (goal.kind !== 'cost' && prove === undefined) return planFleet(question)
  const solver = ports.openSolver()
  try {
    const signal = ports.impatience()
    const found = await planFleetExactly(question, {
      solver,
      limits: { seconds: seconds(prove ?? SOLVER_SECONDS), gap: SOLVER_GAP, signal },
    })
    if (prove === undefined) return found
    ports.progress.step(2, 3, `proving, at most ${prove} s; Ctrl-C ends the proof and keeps the plan`)
    return await proveFleet(found, snapshot, { solver, limits: { seconds: seconds(prove), gap: ratio(0), signal } })
  } finally {
    await solver.close()
  }
}

/** How long a solver may look for the layout, each goal of it, and how near to its bound is near enough. */
const SOLVER_SECONDS = 10
const SOLVER_GAP = ratio(0.001)

function writtenTo({ plan }: FleetPlan, snapshot: ClusterSnapshot, options: PlanOptions): Written | undefined {
  const { out, force, operatorNamespace } = options
  const exported = planFiles({ plan, snapshot, ...(operatorNamespace === undefined ? {} : { operatorNamespace }) })
  if (exported.kind === 'refused')
    throw new Error(`The plan cannot be written as files:\n  ${exported.because.join('\n  ')}`)
  if (out === undefined) return undefined
  writePlanFolder(out, exported.files, force)
  return { folder: out, files: exported.files.map(({ path }) => path) }
}
