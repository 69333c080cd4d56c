import { writeFileSync } from 'node:fs'

import { planFiles, snapshotFileText } from '@septet/plan-files'
import { planFleet, shippedPrices } from '@septet/domain'

import { explainObject } from './explain-object.ts'
import { formatPlan, planDocument } from './format-plan.ts'
import { checkFolder, writtenTo } from './plan-folder.ts'
import { PLAN_HELP, readPlanOptions } from './plan-options.ts'
import { readSource, type SourcePorts } from './read-source.ts'
import { runAppointment } from './run-appointment.ts'

/** `septet plan`: what it prints; files only where `--out` and `--save-snapshot` name a place. */
export async function runPlan(args: readonly string[], ports: SourcePorts): Promise<string> {
  if (args[0] === 'appointment') return runAppointment(args.slice(1), ports)
  if (args.includes('--help')) return `${PLAN_HELP}\n`
  const options = readPlanOptions(args, ports.environment)
  // What would be refused at the end is refused before anybody waits.
  if (options.out !== undefined) checkFolder(options.out, options.force)
  const snapshot = await readSource(options.source, ports)
  if (options.saveSnapshot !== undefined) writeFileSync(options.saveSnapshot, snapshotFileText(snapshot))
  if (options.explain !== undefined) return explainObject(snapshot, options)
  ports.progress.step(1, 2, 'planning')
  const { goal, maxDisplaced, actuator, operatorNamespace } = options
  const asked = { snapshot, goal, prices: shippedPrices, maxDisplaced }
  const found = planFleet(actuator === undefined ? asked : { ...asked, actuator })
  ports.progress.end()
  const files = planFiles({ ...found, snapshot, ...(operatorNamespace !== undefined && { operatorNamespace }) })
  const shown = { found, snapshot, written: writtenTo(files, options) }
  return options.format === 'json' ? `${JSON.stringify(planDocument(shown), undefined, 2)}\n` : formatPlan(shown)
}
