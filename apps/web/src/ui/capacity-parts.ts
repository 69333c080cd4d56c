/** What capacity is divided into, in the order in which it is drawn; `unmeasured` is a part of `used`, told below it. */
export const CAPACITY_PARTS = [
  { key: 'used', name: 'Used', meaning: 'busy' },
  { key: 'unmeasured', name: 'not measured', meaning: 'unknown' },
  { key: 'oversized', name: 'Oversized', meaning: 'oversized' },
  { key: 'idleHeld', name: 'Idle-held', meaning: 'idle' },
  { key: 'unallocated', name: 'Unallocated', meaning: 'free' },
  { key: 'stranded', name: 'Stranded', meaning: 'stranded' },
  { key: 'broken', name: 'Broken', meaning: 'broken' },
] as const
