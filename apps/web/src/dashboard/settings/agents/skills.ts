/** Instructions for coding agents, served as `/skills/NAME/SKILL.md`; skills.test.ts holds them to what they must say. */
export const SKILLS = [
  {
    name: 'gpu-idle-audit',
    title: 'Idle audit',
    words: 'Finds GPUs that are held and not used, with owners, cost and evidence.',
  },
  {
    name: 'gpu-pending-triage',
    title: 'Pending triage',
    words: 'Says why a GPU workload waits and which steps would let it run.',
  },
  {
    name: 'gpu-plan-review',
    title: 'Plan review',
    words: 'Reads a plan before a person approves it: what it gains, what it disrupts, and its rollback.',
  },
] as const

export const skillPath = (name: string): string => `/skills/${name}/SKILL.md`
