import type { KeepFree, Plan } from './action.ts'

/** GPUs, or instances where a profile is named, that an appointment keeps, of all its nodes. */
export const keptGpus = (nodes: KeepFree['nodes']): number => nodes.reduce((sum, { gpus }) => sum + gpus, 0)

/** What an appointment keeps, and where; undefined for any other plan. */
export const appointmentOf = ({ steps }: Pick<Plan, 'steps'>): KeepFree | undefined =>
  steps.flatMap(({ action }) => (action.kind === 'keep-free' ? [action] : []))[0]
