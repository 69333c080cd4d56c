import type { Scenario, ScenarioSource } from './scenario.ts'

/** What a result takes for granted, in sentences: shown beside every figure. */
export const assumptionsOf = ({ kind, notes }: ScenarioSource, { boards, sizes }: Scenario): readonly string[] => [
  ...notes,
  kind === 'week'
    ? 'Everybody comes when they were first seen to hold a GPU, and stays as long as they did. How long they had waited before is not known, so waiting here is what the scenario adds.'
    : 'Everybody who runs or waits now comes at once and stays. There is no time in it, so there is no waiting time.',
  sizes === 'held'
    ? 'Everybody gets what they held.'
    : 'Where enough was measured, everybody gets the smallest size that their measured peak fits, with 10% of memory kept free and at most 65 % busy at the peak.',
  boards === 'same'
    ? 'Work runs only on the GPU model that it was seen on.'
    : 'Work runs on every model with as much memory for it. A compute slice counts the same on every model and a pod takes as long there: speed is not modeled.',
  'Whoever fits goes first, in the order in which they came; nobody is moved, preempted or cut off. Free room is cut as it is needed and at once; driver time for that is not counted.',
  'CPU, memory of the node, quotas, affinity, taints, gangs of several pods and faults are not in it. Several GPUs of one pod are on one node.',
  'Cost is that of the GPUs needed so that nobody waits, and of a useful hour that of the whole fleet, at the shown prices.',
]
