import type { Log } from '@septet/domain'

import { tellShortfalls } from '../alerts/tell-shortfalls.ts'
import { tellWarnings, type WarningNeeds } from '../alerts/tell-warnings.ts'
import type { ClusterFacts, Facts } from '../facts.ts'

/** What was not heard of is looked for so often, milliseconds. */
const LOOK_MS = 30_000

type Needs = WarningNeeds & {
  readonly facts: Facts
  readonly log: Log
  /** Called when something waits to be sent. */
  readonly wake: () => void
}

/** Tells owners who are warned, and who waits for GPUs that an appointment lacks, as soon as that is heard of, and again for what was not. */
export function openWarnings({ facts, log, wake, ...needs }: Needs) {
  const tell = ({ record: { id, name } }: ClusterFacts): void =>
    [tellWarnings, tellShortfalls].forEach(
      (tellOne) =>
        void tellOne(needs, { id, name }).then(
          (told) => told && wake(),
          (error: unknown) => log.warn('what actions say could not be sent', { cluster: id, error: String(error) }),
        ),
    )
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    tell,
    start() {
      timer = setInterval(() => facts.clusters().forEach(tell), LOOK_MS).unref()
    },
    stop() {
      clearInterval(timer)
    },
  }
}
