import type { Scenario, ScenarioSource } from './scenario.ts'

/** What a result takes for granted, in sentences: shown beside every figure. */
export const assumptionsOf = ({ kind, notes }: ScenarioSource, { boards, sizes }: Scenario): readonly string[] => [
  ...notes,
  kind === 'week'
    ? 'Each workload arrives when it was first seen to hold a GPU and stays as long as it did. How long it had waited before is unknown, so waiting here is what the scenario adds.'
    : 'All running and waiting workloads start at once and stay. Time is not simulated, so there is no waiting time.',
  sizes === 'held'
    ? 'Each workload gets what it held.'
    : 'Where enough was measured, each workload gets the smallest size that fits its measured peak, with 10% of memory kept free and at most 65% busy at the peak.',
  boards === 'same'
    ? 'Work runs only on the GPU model that it was seen on.'
    : 'Work runs on every model with as much memory for it. A compute slice counts the same on every model and a pod takes as long there: speed is not modeled.',
  'Workloads that fit start in order of arrival; none is moved, preempted or stopped early. Free capacity is partitioned as needed and instantly; driver time is not counted.',
  'CPU, memory of the node, quotas, affinity, taints, gangs of several pods and faults are not in it. Several GPUs of one pod are on one node.',
  'Cost is that of the GPUs needed so that no workload waits; the cost of a useful hour is that of the whole fleet, at the shown prices.',
]
