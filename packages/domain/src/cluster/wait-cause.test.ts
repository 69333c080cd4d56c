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
    ['40 Too many pods', 'Every node that it may use has as many pods as it takes.'],
    [
      "40 node(s) didn't have free ports for the requested pod ports",
      'The host ports that it asks for are taken where it may run.',
    ],
    [
      '40 node is not a gpu node or the gpu memory count on the node was not synced yet, task: <a/b>, node: <>',
      'The scheduler does not know how much GPU memory the nodes have that it may use.',
    ],
    ['40 Insufficient amd.com/gpu', 'No whole GPU is free where it may run.'],
    ['40 CardUuidMismatch', 'No node matches its node selector or affinity.'],
    ['40 node(s) had memory pressure', 'Every node that it may use is broken or not ready.'],
    ['40 node(s) were not ready', 'Every node that it may use is broken or not ready.'],
    [
      '1 node(s) had volume node affinity conflict, 39 Insufficient nvidia.com/gpu',
      'No whole GPU is free where it may run. Besides, its volumes rule out 1 node.',
    ],
    ['40 Insufficient example.com/licence', 'Too few example.com/licence are left where it may run.'],
  ])('the scheduler: %s', (told, cause) => expect(scheduler(told)).toBe(cause))

  test.each([
    '40 Insufficient nvidia.com/gpu.memory',
    '40 Insufficient nvidia.com/gpumem-percentage',
    '40 Insufficient volcano.sh/vgpu-memory',
    '40 CardInsufficientMemory(8)',
    '40 CardTimeSlicingExhausted',
    '40 hami-vgpuDeviceSharing error',
    "40 node(s) didn't have enough resources: GPU memory",
  ])('who gives shares of GPUs: %s', (told) =>
    expect(scheduler(told)).toBe('No GPU has a share left that is as large as it asks for, where it may run.'),
  )

  test.each([
    [
      'WaitingForQuota',
      "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor whole-gpu, 8 more needed",
      'Its queue has too little quota of nvidia.com/gpu left: it lacks 8.',
    ],
    [
      'ExceedsMaxQuota',
      "couldn't assign flavors to pod set main: insufficient quota for rdma/hca in flavor a, request > maximum capacity (8 > 4)",
      'Its queue never has enough quota of rdma/hca for it: it needs 8, and there are at most 4.',
    ],
    ['WaitingForQuota', '', 'Its quota is used up: it waits until other work of the quota ends.'],
    [
      'UnsatisfiedAdmissionChecks',
      'The workload has not all checks ready: provisioning, budget (Retry)',
      'It has its quota and waits for its admission check provisioning, budget (Retry).',
    ],
    [
      'NoReservation',
      'The workload has not all checks ready',
      'It has its quota and waits for an admission check of its queue.',
    ],
    ['Inadmissible', "LocalQueue nolq doesn't exist", 'Its local queue nolq does not exist.'],
    ['Misconfigured', "LocalQueue nolq doesn't exist", 'Its local queue nolq does not exist.'],
    ['Inadmissible', "ClusterQueue cq doesn't exist", 'The cluster queue cq behind its local queue does not exist.'],
    ['Suspended', 'ClusterQueue cq is inactive', 'Its queue cq is stopped or not active.'],
    [
      'NoMatchingFlavor',
      "couldn't find matching flavor for pod set main",
      'No flavor of its queue matches its node selector, affinity and tolerations.',
    ],
    [
      'Pending',
      'couldn\'t assign flavors to pod set main: topology "default" allows to fit only 1 out of 2 pod(s)',
      'Its queue finds no place in the topology of the nodes where its pods fit as it asks.',
    ],
    [
      'PendingDelayedTopologyRequests',
      'There are pending delayed topology requests',
      'Its queue finds no place in the topology of the nodes where its pods fit as it asks.',
    ],
    [
      'Pending',
      'Preempted enough. pending the preemption of 2 workload(s)',
      'Its queue evicts other work for it, which has not ended.',
    ],
    [
      'Misconfigured',
      'something that a later Kueue says',
      'Its queue does not take it as it is: its owner or the admin of the queue has to change something.',
    ],
    [
      'Pending',
      'The scheduler kai-scheduler has not looked at this pod yet.',
      'Its scheduler kai-scheduler has not looked at it yet.',
    ],
    [
      'Pending',
      "couldn't assign flavors to pod set w: no topology domains at level: kubernetes.io/hostname",
      'No node that its queue may use has the topology label kubernetes.io/hostname, or none of those is ready.',
    ],
    [
      'Pending',
      'couldn\'t assign flavors to pod set main: Flavor "gpus" supports only TopologyAwareScheduling',
      'The flavor gpus of its queue takes only work that asks for a topology, and this asks for none.',
    ],
    [
      'Pending',
      'couldn\'t assign flavors to pod set main: Flavor "gpus" does not support TopologyAwareScheduling',
      'It asks for a topology, and the flavor gpus of its queue has none.',
    ],
    [
      'Misconfigured',
      'spec.podSets[0].template.spec.resourceClaims[0].resourceClaimTemplateName: Not found: "DeviceClass big.gpu is not mapped in DRA configuration for podset main"',
      'Kueue has no quota for the device class big.gpu: its configuration has to map that to a resource first.',
    ],
    ['AdmissionGated', 'gated', 'A gate of Kueue holds it back until its owner removes the gate.'],
    [
      'PreemptionDelayNotElapsed',
      'waits',
      'Its scheduler may evict other work for it, once the preemption delay of its queue is over.',
    ],
    [
      'Unschedulable',
      'waiting for minCount pods from a gang to appear in scheduling queue',
      'It starts only once all of its group is there, and some of its pods have not been made yet.',
    ],
    [
      'Unschedulable',
      'waiting for pods\'s pod group "workers" to appear in scheduling queue',
      'It belongs to a group that has not been made yet.',
    ],
    [
      'Unschedulable',
      'waiting for minCount pods from a gang to be scheduled',
      'It starts only together with its group, and other pods of the group cannot start yet.',
    ],
    ['Pending', 'The scheduler has not looked at this pod yet.', 'Nothing has tried to place it yet.'],
    [
      'Unschedulable',
      'waiting for dynamic resource controller to create the resourceclaim "a"',
      'It waits for a resource claim, which is not there, not allocated or in use elsewhere.',
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
