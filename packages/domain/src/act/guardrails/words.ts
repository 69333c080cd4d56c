import { wallText } from '../../analyze/zoned-time.ts'
import type { Instant } from '../../units.ts'
import { nameOfWorkload } from '../../words.ts'

/** `2026-03-29 14:05 UTC`. */
export const timeWords = (at: Instant, zone = 'UTC'): string => `${wallText(zone, at).replace('T', ' ')} ${zone}`

/** An object without what kind it is: `workload/lab/Deployment/chat` → `lab/chat`, `node/gpu-1` → `gpu-1`. */
export function nameOf(object: string): string {
  const [kind, ...rest] = object.split('/')
  return kind === 'workload' ? nameOfWorkload(rest.join('/')) : rest.join('/')
}
