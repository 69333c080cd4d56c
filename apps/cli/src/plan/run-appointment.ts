import { appointmentFiles } from '@septet/plan-files'
import { planFleet, shippedPrices, type Appointment, type AppointmentAnswer } from '@septet/domain'
import { APPOINTMENT_HELP, readAppointmentOptions } from './appointment-options.ts'
import { checkFolder, writtenTo } from './plan-folder.ts'
import { readSource, type SourcePorts } from './read-source.ts'
import { gpusText, plural } from '@septet/domain/words'
import { inferredNote, leftOutLines, moveLines, section, stepTable, type ShownPlan } from './format-plan.ts'

/** `septet plan appointment`: what it prints; files only where `--out` names a place. */
export async function runAppointment(args: readonly string[], ports: SourcePorts): Promise<string> {
  if (args.includes('--help')) return `${APPOINTMENT_HELP}\n`
  const options = readAppointmentOptions(args, ports.environment)
  if (options.out !== undefined) checkFolder(options.out, options.force)
  const snapshot = await readSource(options.source, ports)
  ports.progress.step(1, 2, 'planning')
  const { ask, maxDisplaced, out } = options
  const goal = { kind: 'appointment', ask } as const
  const { appointment: answer } = planFleet({ snapshot, goal, prices: shippedPrices, maxDisplaced })
  if (answer === undefined) throw new Error('The planner gave no appointment.')
  ports.progress.end()
  const appointment = out === undefined || answer.kind === 'none' ? undefined : answer
  const written = appointment && writtenTo(appointmentFiles({ appointment, snapshot }), options)
  return options.format === 'json'
    ? `${JSON.stringify({ ...answer, written }, undefined, 2)}\n`
    : formatAppointment({ answer, snapshot, written })
}

type ShownAppointment = Omit<ShownPlan, 'found'> & { readonly answer: AppointmentAnswer }

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
