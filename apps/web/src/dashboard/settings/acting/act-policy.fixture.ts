import { invalidInput } from '@septet/contract'

import type { Answer, Answers } from '../../septet.fake.ts'
import { at } from '../../figures.fixture.ts'

type View = Answer<'actPoliciesGet'>
type Role = Answer<'sessionMe'>['role']

const limits = (pods: number) => ({ pods, nodes: 4, gpus: 16, usdPerHour: 150 })

/** What the demo cluster lets Septet do where nobody changed it. */
export const POLICY: View['policy'] = {
  modes: {
    'reclaim-idle': 'approve',
    'right-size': 'observe',
    'fewer-gpus': 'approve',
    repartition: 'approve',
    'mig-mode': 'approve',
    share: 'observe',
    'remove-node': 'observe',
    reschedule: 'observe',
    appointment: 'observe',
  },
  auto: { classes: [], budget: { hour: limits(10), day: limits(50) }, keptToAdvance: 3, resumedAt: {} },
  windows: [],
  protectedNamespaces: ['kube-*', 'gpu-operator'],
  protectedLabels: {},
  twoPeople: [],
  limits: { run: limits(20), hour: limits(40), day: limits(200) },
  minimum: { usdPerMonth: 50, gpuHoursPerMonth: 24, confidence: 0.5 },
  coolDown: 60,
  approvalHolds: 86_400,
  warning: 60,
  watch: 300,
}

/** What new pods of the demo cluster were told and given. */
const NEW_PODS: Answer<'admissionList'> = {
  source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
  asOf: at(4),
  window: null,
  listening: true,
  since: at(4),
  warned: 12,
  changed: 3,
  unrecorded: 2,
  interruption: { at: at(3), until: at(4), because: 'The thread ran out of memory.' },
  answers: [
    {
      at: at(4),
      namespace: 'lab',
      pod: 'chat-7d9f4c-',
      workload: 'lab/Deployment/chat',
      kind: 'changed',
      suggested: 'nvidia.com/mig-1g.20gb',
      said: 'Septet changed nvidia.com/gpu: 1 to nvidia.com/mig-1g.20gb: 1.',
    },
  ],
}

/** Answers about what the demo cluster lets Septet do; what is put there is in force, or refused in these words. */
export function actPolicyFixture({ role, refuses }: { readonly role: Role; readonly refuses?: string }): Answers {
  let view: View = {
    source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
    asOf: at(4),
    window: null,
    policy: POLICY,
    defaults: POLICY,
    changedAt: null,
    changedBy: null,
  }
  return {
    sessionMe: () => ({
      kind: 'account',
      name: 'ada@example.com',
      role,
      namespaces: null,
      clusters: null,
      mode: 'embedded',
      session: 'one',
      secondFactor: false,
      expiresAt: null,
    }),
    admissionList: () => NEW_PODS,
    actPoliciesGet: () => view,
    actPoliciesPut: ({ policy }) => {
      if (refuses !== undefined) return invalidInput(refuses, 'Correct it and save again.')
      view = { ...view, policy, changedAt: at(5), changedBy: 'ada@example.com' }
      return view
    },
  }
}
