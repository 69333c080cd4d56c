import { gpusText, plural } from '@septet/domain/words'
import type { Appointment, AppointmentAnswer, ClusterSnapshot } from '@septet/domain'

import { inferredNote, leftOutLines, moveLines, section, stepTable } from './format-plan.ts'
import type { Written } from './plan-folder.ts'

type ShownAppointment = {
  readonly answer: AppointmentAnswer
  readonly snapshot: ClusterSnapshot
  readonly written: Written | undefined
}

/** The appointment for people: what is closed when, who leaves, and how good that is; or how many GPUs can be had, and when. */
export function formatAppointment({ answer, snapshot, written }: ShownAppointment): string {
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

function figures({ plan, ask, nodes, boundBy, moves, idle, idleProven }: Appointment): readonly string[] {
  const gpus = nodes.reduce((sum, node) => sum + node.gpus, 0)
  const proof = moves === 0 ? '' : boundBy === 'prices' ? ' (prices prove it)' : ' (every choice was tried)'
  return [
    `How good    ${plan.bound ?? ''}${proof}.`,
    `Set aside   ${gpusText(gpus, ask.profile)} on ${plural(nodes.length, 'node')}.`,
    `Idle        ${idle.toFixed(1)} GPU-hours on the reserved nodes if no short work runs there${idleProven ? '; no plan with as few evictions leaves fewer' : ''}.`,
  ]
}
