import { type ActRule, refusing } from './act-context.ts'

/** Replicas that an autoscaler would set back are not changed; one that can be paused is no reason to refuse. */
export const leavesAutoscaledWork: ActRule = ({ written }) => {
  const reasons = written.flatMap(({ autoscaler }) => (autoscaler?.kind === 'refuse' ? autoscaler.because : []))
  return refusing('autoscaled', reasons[0])
}
