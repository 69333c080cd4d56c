import type { OutputOf, summaryGet } from '@septet/contract'
import type { Problem } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'

type Status = OutputOf<typeof summaryGet>['status']

/** Whether all is well, and what is not. "All Systems Operational" is said only when it is true. */
export function statusOf(facts: ClusterFacts): Status {
  const connection = facts.connection()
  const problems = unique([...connection.problems, ...facts.problems()])
  if (connection.kind === 'connecting') return { kind: 'connecting', headline: 'Connecting', problems }
  if (connection.kind === 'disconnected') return { kind: 'down', headline: 'Cluster is not responding', problems }
  if (problems.length === 0) return { kind: 'operational', headline: 'All Systems Operational', problems: [] }
  return { kind: 'degraded', headline: headlineOf(problems), problems }
}

/** The worst of it in a few words, and whether there is more. Not how much: what needs somebody is counted once, as alerts. */
function headlineOf([worst, ...others]: readonly Problem[]): string {
  const words = WORDS.get(worst?.code ?? '') ?? 'Something is wrong'
  return others.every(({ code }) => code === worst?.code) ? words : `${words}, and more`
}

/** By code, the most severe first: what takes everything away, GPUs that cannot be used, figures that are missing, then doubtful. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['forbidden', 'Permission missing'],
  ['unreadable-resource', 'Resource not readable'],
  ['pipeline-silent', 'Cluster is not being read'],
  ['telemetry-unavailable', 'No telemetry'],
  ['usage-not-saved', 'Usage not saved'],
  ['gpu-lost', 'GPU lost'],
  ['gpu-fault', 'GPU fault'],
  ['gpu-vanished', 'GPU vanished'],
  ['device-tainted', 'GPU tainted'],
  ['gpus-reported-unhealthy', 'GPUs reported unhealthy'],
  ['stale-capacity', 'GPUs offered that are not there'],
  ['devices-withheld', 'GPUs withheld by a node'],
  ['holder-not-running', 'GPUs held by pods that do not run'],
  ['used-without-request', 'GPU used without a request'],
  ['mig-mode-unclear', 'MIG mode unclear'],
  ['devices-for-virtual-machines', 'GPUs given to virtual machines'],
  ['gpus-uncounted', 'GPUs not counted'],
  ['mig-failed', 'MIG change failed'],
  ['no-mig-manager', 'No mig-manager on a node'],
  ['telemetry-not-configured', 'No telemetry configured'],
  ['target-discovery-failed', 'Exporters not found'],
  ['target-failed', 'Exporter is not responding'],
  ['stale-target', 'Exporter is not responding'],
  ['no-telemetry', 'Node without telemetry'],
  ['history-unavailable', 'Past usage missing'],
  ['gpus-not-reported', 'GPUs missing from metrics'],
  ['stuck-at-zero', 'Counters stuck at 0'],
  ['busy-vanished', 'Busy no longer exported'],
  ['busy-not-exported', 'Busy not exported'],
  ['missing-instance', 'MIG devices not exported'],
  ['not-attributable', 'Shared GPUs reported as one'],
  ['holders-inferred', 'Pods not named by the exporter'],
  ['clock-skew', 'Clocks differ'],
  ['clock-went-back', 'Clock went back'],
])

const rankOf = ({ code }: Problem): number => (WORDS.has(code) ? [...WORDS.keys()].indexOf(code) : WORDS.size)

/** Each once, the most severe first. */
function unique(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.code} ${problem.object}`, problem])).values()]
    .map(({ code, message, object }) => ({ code, message, object }))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
}
