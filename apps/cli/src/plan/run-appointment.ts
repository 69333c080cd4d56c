import { appointmentFiles } from '@septet/plan-files'
import { planAppointment, type Appointment, type ClusterSnapshot } from '@septet/domain'

import { APPOINTMENT_HELP, readAppointmentOptions, type AppointmentOptions } from './appointment-options.ts'
import { formatAppointment } from './format-appointment.ts'
import { checkFolder, writePlanFolder, type Written } from './plan-folder.ts'
import { readSource, type SourcePorts } from './read-source.ts'

/** `septet plan appointment`: what it prints; files only where `--out` names a place. */
export async function runAppointment(args: readonly string[], ports: SourcePorts): Promise<string> {
  if (args.includes('--help')) return `${APPOINTMENT_HELP}\n`
  const options = readAppointmentOptions(args, ports.environment)
  if (options.out !== undefined) checkFolder(options.out, options.force)
  const snapshot = await readSource(options.source, ports)
  ports.progress.step(1, 2, 'planning')
  const answer = planAppointment({ snapshot, ask: options.ask, maxDisplaced: options.maxDisplaced })
  ports.progress.end()
  const written = answer.kind === 'found' ? writtenTo(answer, snapshot, options) : undefined
  return options.format === 'json'
    ? `${JSON.stringify({ ...answer, written }, undefined, 2)}\n`
    : formatAppointment({ answer, snapshot, written })
}

function writtenTo(
  appointment: Appointment,
  snapshot: ClusterSnapshot,
  { out, force }: AppointmentOptions,
): Written | undefined {
  if (out === undefined) return undefined
  const exported = appointmentFiles({ appointment, snapshot })
  if (exported.kind === 'refused')
    throw new Error(`The plan cannot be written as files:\n  ${exported.because.join('\n  ')}`)
  writePlanFolder(out, exported.files, force)
  return { folder: out, files: exported.files.map(({ path }) => path) }
}
