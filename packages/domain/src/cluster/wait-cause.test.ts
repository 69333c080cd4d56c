import { describe, expect, test } from 'vitest'

import { toldCause, waitCause } from './wait-cause.ts'

const preemption =
  ' preemption: 0/40 nodes are available: 3 Preemption is not helpful for scheduling, 37 No preemption victims found for incoming pod.'
const scheduler = (told: string): string =>
  waitCause({ reason: 'Unschedulable', message: `0/40 nodes are available: ${told}.${preemption}` })

describe('why work waits, the cause first', () => {
  test.each([
    [
      '1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 2 node(s) had untolerated taint {dedicated: large-models}, 37 Insufficient nvidia.com/mig-3g.40gb',
      'No mig-3g.40gb is free where it may run. Besides, 2 nodes have a taint that it does not tolerate; 1 node is broken or not ready.',
    ],
    [
      "1 Insufficient nvidia.com/gpu, 36 node(s) didn't match Pod's node affinity/selector",
      'No whole GPU is free where it may run. Besides, its node selector or affinity rules out 36 nodes.',
    ],
    [
      '40 Insufficient cpu, 2 Insufficient memory',
      'Too little CPU is left where it may run. Besides, 2 nodes have too little memory left.',
    ],
    ['3 Insufficient nvidia.com/mig-4g.40gb, <b>a plugin’s own words</b>', 'No mig-4g.40gb is free where it may run.'],
    ['40 Insufficient memory', 'Too little memory is left where it may run.'],
    ["40 node(s) didn't match Pod's node affinity/selector", 'No node matches its node selector or affinity.'],
    [
      '40 node(s) had untolerated taint {dedicated: large-models}',
      'Every node that it may use has a taint that it does not tolerate.',
    ],
    ['40 node(s) were unschedulable', 'Every node that it may use is cordoned.'],
    [
      '40 node(s) had untolerated taint {node.kubernetes.io/not-ready: }',
      'Every node that it may use is broken or not ready.',
    ],
    ['40 Insufficient nvidia.com/gpu.shared', 'No shared GPU is free where it may run.'],
    ['40 node(s) had volume node affinity conflict', 'It waits for a volume.'],
    ['40 cannot allocate all claims', 'No device that its resource claim asks for is free where it may run.'],
    ['40 Insufficient volcano.sh/vgpu-number', 'No shared GPU is free where it may run.'],
    [
      "2 Insufficient nvidia.com/gpu, 1 Insufficient cpu, 3 Insufficient example.com/licence, 4 node(s) didn't match pod topology spread constraints, 1 node(s) were unschedulable",
      'Its spread or pod affinity rules, or those of other pods, keep it off every node that has room. Besides, 2 nodes have no whole GPU free; 1 node has too little CPU left; 3 nodes have too few example.com/licence left; 1 node is cordoned.',
    ],
    ['40 Insufficient example.com/licence', 'Too few example.com/licence are left where it may run.'],
  ])('the scheduler: %s', (told, cause) => expect(scheduler(told)).toBe(cause))

  test.each([
    [
      'WaitingForQuota',
      "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor whole-gpu, 8 more needed",
      'Its quota is used up: it waits until other work of the quota ends.',
    ],
    [
      'FailedCreate',
      'pods "a" is forbidden: exceeded quota: gpus, requested: 4',
      'Its quota is used up: it waits until other work of the quota ends.',
    ],
    ['Pending', 'pod has unbound immediate PersistentVolumeClaims', 'It waits for a volume.'],
    [
      'SchedulingGated',
      'Scheduling is blocked due to non-empty scheduling gates',
      'A scheduling gate holds it back until its owner removes the gate.',
    ],
  ])('%s: %s', (reason, message, cause) => expect(waitCause({ reason, message })).toBe(cause))

  test('is not guessed from words that nobody knows, nor from none', () => {
    expect(waitCause({ reason: 'Odd', message: 'the moon is full' })).toBe('')
    expect(waitCause({ reason: '', message: '' })).toBe('')
  })
})

describe('the cause in one word', () => {
  test.each([
    ['quota', 'Pending', 'the job is OverLimit of its queue'],
    ['quota', 'NonPreemptibleOverQuota', ''],
    ['not-let-in', 'PodGroupPending', 'pod group is Pending'],
    ['gang', 'NotEnoughTasks', '3/8 tasks'],
    ['gang', 'Unschedulable', 'pod group is not ready, 3 Pending, 8 minAvailable'],
    ['gate', 'SchedulingGated', ''],
    ['volume', 'Unschedulable', '0/3 nodes are available: 3 node(s) had no available volume zone.'],
    ['device', 'Unschedulable', '0/3 nodes are available: 1 Insufficient cpu, 2 Insufficient nvidia.com/gpu.'],
    ['cpu', 'Unschedulable', '0/3 nodes are available: 3 Insufficient cpu.'],
    ['device', 'Unschedulable', "2 nodes don't have enough resources: GPUs. \n1 node don't have enough resources: CPU"],
    [undefined, 'Unschedulable', 'the moon is full'],
  ])('%s: %s: %s', (cause, reason, message) => {
    expect(toldCause({ reason, message })).toBe(cause)
    // Where it is known in a word, there is a sentence for it.
    expect(waitCause({ reason, message }) === '').toBe(cause === undefined)
  })
})
