/** What work can wait for: a name for tables, and what is meant. Every second of a wait has one of them. */
export const WAIT_CAUSES = {
  quota: { name: 'Quota', meaning: 'its quota or queue has too little left' },
  queue: {
    name: 'Queue',
    meaning: 'its queue is not there, is stopped, or lets no more in before other work is ready',
  },
  check: { name: 'Admission check', meaning: 'it has its quota, and an admission check of its queue is open' },
  topology: { name: 'Topology', meaning: 'its queue finds no place in the topology where its pods fit as it asks' },
  gate: { name: 'Scheduling gate', meaning: 'its owner has not let it be scheduled yet' },
  gang: { name: 'Gang', meaning: 'it starts only together with other pods, which cannot start yet' },
  volume: { name: 'Volume', meaning: 'a volume that it needs is not there, or is elsewhere' },
  spread: {
    name: 'Spread',
    meaning: 'its spread or pod affinity rules, or those of other pods, rule out where there is room',
  },
  affinity: {
    name: 'Affinity or taints',
    meaning: 'its node selector, its affinity or a taint rules out every node that could take it',
  },
  'cpu-memory': { name: 'CPU or memory', meaning: 'a GPU is free, and too little CPU or memory is beside it' },
  shape: { name: 'Shape', meaning: 'no GPU is partitioned into the shape it asks for, or none can be' },
  fragmentation: { name: 'Fragmentation', meaning: 'enough is free in sum, and nowhere enough in one place' },
  broken: { name: 'Broken or cordoned', meaning: 'a GPU that could take it is broken, cordoned or withheld' },
  capacity: { name: 'All GPUs held', meaning: 'others hold every GPU that could take it' },
  share: { name: 'Share of a GPU', meaning: 'no GPU that is shared has as much memory or as many cores left' },
  'no-device': { name: 'No GPU free', meaning: 'the scheduler found no GPU for it' },
  other: { name: 'Another resource', meaning: 'something else that it asks for is used up' },
  'not-tried': { name: 'Not tried', meaning: 'its queue or the scheduler had not looked at it yet' },
  'not-told': { name: 'Not reported', meaning: 'nothing gave a reason, or one that Septet does not know' },
  'not-watched': { name: 'Not watched', meaning: 'Septet did not watch the cluster then' },
} as const satisfies Record<string, { readonly name: string; readonly meaning: string }>

export type WaitCause = keyof typeof WAIT_CAUSES

export const isWaitCause = (text: string): text is WaitCause => Object.hasOwn(WAIT_CAUSES, text)
