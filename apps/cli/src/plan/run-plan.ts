import { writeFileSync } from 'node:fs'

import { plansCancel, plansGet, plansMake, type MadePlan } from '@septet/contract'
import { askedGoal, madePlan, snapshotFileText } from '@septet/plan-files'
import { planFleet, shippedPrices, type ClusterSnapshot } from '@septet/domain'

import { Interrupted } from '../exit-codes.ts'
import { askOperation } from '../served/ask-operation.ts'
import { APPOINTMENT_HELP, readAppointmentOptions } from './appointment-options.ts'
import { explainObject } from './explain-object.ts'
import { formatPlan } from './format-plan.ts'
import { checkFolder, writtenTo } from './plan-folder.ts'
import { PLAN_HELP, readPlanOptions, type PlanOptions } from './plan-options.ts'
import { readSource, type SourcePorts } from './read-source.ts'

/** `enough` is asked for only where a server computes: its signal takes the place of ending at once at Ctrl-C. */
type PlanPorts = SourcePorts & { readonly enough: () => AbortSignal }

/** `septet plan`: what it prints; files only where `--out` and `--save-snapshot` name a place. */
export async function runPlan(args: readonly string[], ports: PlanPorts): Promise<string> {
  const isAppointment = args[0] === 'appointment'
  if (args.includes('--help')) return `${isAppointment ? APPOINTMENT_HELP : PLAN_HELP}\n`
  const options = isAppointment
    ? readAppointmentOptions(args.slice(1), ports.environment)
    : readPlanOptions(args, ports.environment)
  // What would be refused at the end is refused before anybody waits.
  if (options.out !== undefined) checkFolder(options.out, options.force)
  const { source } = options
  if (source.kind === 'server') return shown(await plannedBy(source, options, ports), options)
  const snapshot = await readSource(source, ports)
  if (options.saveSnapshot !== undefined) writeFileSync(options.saveSnapshot, snapshotFileText(snapshot))
  if (options.explain !== undefined) return explainObject(snapshot, options)
  ports.progress.step(1, 2, 'planning')
  const made = plannedHere(snapshot, options)
  ports.progress.end()
  return shown(made, options)
}

function shown(made: MadePlan, options: PlanOptions): string {
  const written = writtenTo(made, options)
  // The files are in the folder, and what GPUs look like is for a screen.
  const document = { ...made, files: undefined, gpus: undefined, written }
  return options.format === 'json' ? `${JSON.stringify(document, undefined, 2)}\n` : formatPlan(made, written)
}

function plannedHere(snapshot: ClusterSnapshot, { wish }: PlanOptions): MadePlan {
  const { goal, operatorNamespace, actuator, ...limits } = wish
  const question = { snapshot, goal: askedGoal(goal, snapshot.nodes), prices: shippedPrices, ...limits }
  const found = planFleet(actuator === undefined ? question : { ...question, actuator })
  return {
    source: { id: snapshot.cluster, name: snapshot.cluster, kind: 'cluster' },
    asOf: new Date(snapshot.takenAt).toISOString(),
    window: null,
    ...madePlan(found, { snapshot, prices: shippedPrices, operatorNamespace }),
    gpus: [],
  }
}

type Server = Extract<PlanOptions['source'], { readonly kind: 'server' }>

/** Seconds that one request waits. */
const WAITS = 1

async function plannedBy({ whom, cluster }: Server, { wish }: PlanOptions, ports: PlanPorts): Promise<MadePlan> {
  const enough = ports.enough()
  const asked = { ...wish, ...(cluster !== undefined && { cluster }), wait: WAITS }
  let state = await askOperation(plansMake, asked, whom)
  while (state.result === null && state.problem === null && !enough.aborted) {
    ports.progress.step(state.done, Math.max(1, state.of), state.ahead > 0 ? 'waiting for other plans' : 'planning')
    state = await askOperation(plansGet, { id: state.id, wait: WAITS }, whom)
  }
  ports.progress.end()
  if (enough.aborted) {
    await askOperation(plansCancel, { id: state.id }, whom)
    throw new Interrupted('Interrupted: the server no longer computes the plan.')
  }
  if (state.result === null) throw new Error(state.problem ?? 'The plan was cancelled.')
  return state.result
}
