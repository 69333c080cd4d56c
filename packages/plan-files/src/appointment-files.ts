import { tolerationsFor, type Appointment, type ExportedCluster } from '@septet/domain'
import { stringify } from 'yaml'

import { isoTime } from './plan-files-markdown.ts'
import { planFiles, type PlanFiles } from './plan-files.ts'

export type AppointmentExport = {
  readonly appointment: Appointment
  /** The snapshot that it was planned on. */
  readonly snapshot: ExportedCluster
}

/** An appointment as a directory: its plan, and `let-in.yaml`, what a pod needs to start on a node that is closed. */
export function appointmentFiles({ appointment, snapshot }: AppointmentExport): PlanFiles {
  const exported = planFiles({ plan: appointment.plan, snapshot })
  if (exported.kind === 'refused') return exported
  return { kind: 'files', files: [...exported.files, { path: 'let-in.yaml', text: letInText(appointment) }] }
}

function letInText(appointment: Appointment): string {
  const { nodes, ask, endsAt } = appointment
  const tolerations = tolerationsFor(nodes).map(({ key, operator, value, effect }) =>
    operator === 'Exists' ? { key, operator, effect } : { key, operator, value, effect },
  )
  const nodeSelectorTerms = nodes.map(({ node }) => ({
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }],
  }))
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } }
  return [
    '# For the pod template of the work that the GPUs are kept for. It may be created at any time before; from',
    `# ${isoTime(ask.at)} to ${isoTime(endsAt)} its GPUs are free.`,
    '#',
    '# While the GPUs wait, other work may be let in with the same lines if it is surely gone before: its',
    `# activeDeadlineSeconds and its grace period must end a minute before ${isoTime(ask.at)}. They count from when it`,
    '# starts, so delete what has not started in time.',
    stringify({ tolerations, affinity: { nodeAffinity: required } }, { lineWidth: 0 }),
  ].join('\n')
}
