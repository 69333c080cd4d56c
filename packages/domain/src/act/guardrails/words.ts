import { wallText } from '../../analyze/zoned-time.ts'
import type { Instant } from '../../units.ts'
import type { ActionClass } from '../action-run.ts'

/** What a class of change does, as a subject of a sentence. */
export const CLASS_NAMES = {
  'reclaim-idle': 'Stopping idle work',
  'right-size': 'Giving work a smaller size',
  'fewer-gpus': 'Giving work fewer GPUs',
  repartition: 'Repartitioning GPUs',
  'mig-mode': 'Changing the MIG mode of GPUs',
  share: 'Sharing GPUs',
  'remove-node': 'Removing nodes',
  reschedule: 'Moving waiting work',
  appointment: 'Keeping GPUs free for an appointment',
} as const satisfies Record<ActionClass, string>

/** `2026-03-29 14:05 UTC`. */
export const timeWords = (at: Instant, zone = 'UTC'): string => `${wallText(zone, at).replace('T', ' ')} ${zone}`

/** An object without what kind it is: `workload/lab/Deployment/chat` → `lab/chat`, `node/gpu-1` → `gpu-1`. */
export function nameOf(object: string): string {
  const [kind = '', ...rest] = object.split('/')
  const [namespace = '', , ...name] = rest
  return kind === 'workload' ? `${namespace}/${name.join('/')}` : rest.join('/')
}
