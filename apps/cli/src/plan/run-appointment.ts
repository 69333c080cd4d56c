import { appointmentFiles } from '@septet/plan-files'
import { planAppointment, type Appointment, type ClusterSnapshot, type AppointmentAnswer } from '@septet/domain'
import { APPOINTMENT_HELP, readAppointmentOptions, type AppointmentOptions } from './appointment-options.ts'
import { checkFolder, writePlanFolder, type Written } from './plan-folder.ts'
import { readSource, type SourcePorts } from './read-source.ts'
import { gpusText, plural } from '@septet/domain/words'
import { inferredNote, leftOutLines, moveLines, section, stepTable } from './format-plan.ts'

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

type ShownAppointment = {
  readonly answer: AppointmentAnswer
  readonly snapshot: ClusterSnapshot
  readonly written: Written | undefined
}

/** The appointment for people: what is closed when, who leaves, and how good that is; or how many GPUs can be had, and when. */
function formatAppointment({ answer, snapshot, written }: ShownAppointment): string {
  const leftOut = section('Not counted on', leftOutLines(answer))
  if (answer.kind === 'none') return [answer.because, ...leftOut, ''].join('\n')
  const { plan, notes } = answer
  // Who waits is among the notes.
  const placed = plan.moves.filter(({ to }) => to !== undefined)
  return [
    `${plan.title} · ${plan.cluster}, as of ${new Date(plan.madeFrom).toISOString()} · ${plan.id}`,
    '',
    ...stepTable(plan.steps),
    '',
    ...figures(answer),
    ...section('Where evicted pods find room now', moveLines({ plan: { ...plan, moves: placed } }, snapshot)),
    ...leftOut,
    ...section('Good to know', [...notes, ...inferredNote(snapshot)]),
    '',
    written === undefined
      ? 'Add --out DIR to write it as files.'
      : `Written to ${written.folder}: ${written.files.length} files. Begin with PLAN.md; let-in.yaml is for the work that comes.`,
    '',
  ].join('\n')
}

function figures({ plan, ask, nodes, bound, moves, idle, idleProven }: Appointment): readonly string[] {
  const gpus = nodes.reduce((sum, node) => sum + node.gpus, 0)
  const proof = moves > 0 && moves === bound ? ' (every choice was tried)' : ''
  return [
    `How good    ${plan.bound ?? ''}${proof}.`,
    `Set aside   ${gpusText(gpus, ask.profile)} on ${plural(nodes.length, 'node')}.`,
    `Idle        ${idle.toFixed(1)} GPU-hours on the reserved nodes if no short work runs there${idleProven ? '; no plan with as few evictions leaves fewer' : ''}.`,
  ]
}
