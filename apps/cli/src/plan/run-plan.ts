import { existsSync, readFileSync, writeFileSync } from 'node:fs'

import { planFiles, readSnapshotFile, snapshotFileText } from '@septet/plan-files'
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

import type { Progress } from '../progress.ts'
import { explainObject } from './explain-object.ts'
import { formatPlan, planDocument } from './format-plan.ts'
import { checkFolder, writePlanFolder, type Written } from './plan-folder.ts'
import { PLAN_HELP, readPlanOptions, type ClusterSource, type PlanOptions } from './plan-options.ts'

/** What a plan needs from outside; `main.ts` joins it. */
export type PlanPorts = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly progress: Progress
  readonly snapshotOf: (source: Omit<ClusterSource, 'kind'>) => Promise<ClusterSnapshot>
  readonly openSolver: () => LinearSolver
  /** Aborted when somebody does not want to wait for the proof any longer. */
  readonly impatience: () => AbortSignal
}

/** `septet plan`: what it prints; files only where `--out` and `--save-snapshot` name a place. */
export async function runPlan(args: readonly string[], ports: PlanPorts): Promise<string> {
  if (args.includes('--help')) return `${PLAN_HELP}\n`
  const options = readPlanOptions(args, ports.environment)
  // What would be refused at the end is refused before anybody waits.
  if (options.out !== undefined) checkFolder(options.out, options.force)
  const snapshot = await snapshotFrom(options.source, ports)
  if (options.saveSnapshot !== undefined) writeFileSync(options.saveSnapshot, snapshotFileText(snapshot))
  if (options.explain !== undefined) return explainObject(snapshot, options)
  ports.progress.step(1, 3, 'planning')
  const proven = await planned(snapshot, { options, ports })
  ports.progress.end()
  const written = writtenTo(proven, snapshot, options)
  const shown = { found: proven, snapshot, written }
  return options.format === 'json' ? `${JSON.stringify(planDocument(shown), undefined, 2)}\n` : formatPlan(shown)
}

async function snapshotFrom(
  source: PlanOptions['source'],
  { snapshotOf, progress }: PlanPorts,
): Promise<ClusterSnapshot> {
  if (source.kind !== 'snapshot') return snapshotOf(source.kind === 'demo' ? demoSource(source) : source)
  progress.step(0, 3, 'reading the snapshot')
  const read = readSnapshotFile(textOf(source.file))
  if (read.kind === 'read') return read.snapshot
  progress.end()
  throw new Error(`${source.file} is no snapshot that can be used:\n  ${read.errors.join('\n  ')}`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`, { cause: error })
    throw error
  }
}

/** The demo cluster answers for its metrics engine too, at the address of its API. */
function demoSource(source: ClusterSource): ClusterSource {
  if (!existsSync(source.kubeconfig))
    throw new Error(`The demo cluster does not run here: ${source.kubeconfig} is not there. npm start runs it.`)
  const address = /server: https(:\S+)/u.exec(readFileSync(source.kubeconfig, 'utf8'))?.[1]
  if (source.prometheusUrl !== undefined || address === undefined) return source
  return { ...source, prometheusUrl: `http${address}/prometheus` }
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
