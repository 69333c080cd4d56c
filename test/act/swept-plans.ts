import type { Plan } from '@septet/domain'

import { acting } from './on-demo.ts'
import type { ActingDemo } from './acting-demo.ts'
import { SCARCE, someAppointment, someCut, someRemoval, someResize, someShare, someStop } from './runs.ts'

async function cutUnder(fault: Parameters<ActingDemo['demo']['faults']['add']>[0]): Promise<Plan> {
  const plan = await someCut(acting, 1)
  acting.demo.faults.add(fault)
  return plan
}

/** A plan of each kind, some on a cluster with a fault, whose carrying out is disturbed at one moment after the other. */
const SWEPT: Readonly<Record<string, () => Promise<Plan>>> = {
  'a cut that displaces a pod': () => someCut(acting, 1),
  'a cut at which mig-manager fails': () => cutUnder({ kind: 'mig-failed' }),
  'a cut of which three answers are lost': () => cutUnder({ kind: 'answer-lost', times: 3 }),
  'a Deployment that is stopped': () => someStop(acting, 'Deployment'),
  'a node that is removed': () => someRemoval(acting, 1),
  'a node whose GPUs are shared': () => someShare(acting),
  'a StatefulSet that is stopped': () => someStop(acting, 'StatefulSet'),
  'a Deployment that is made smaller': () => someResize(acting, 'Deployment'),
  'a StatefulSet whose smaller pod finds no place': () => someResize(acting, 'StatefulSet', SCARCE),
  'GPUs for an appointment': () => someAppointment(acting),
  'MIG instances for an appointment': () => someAppointment(acting, { profile: '3g.40gb', gpus: 2 }),
}
export const SWEPT_PLANS = Object.keys(SWEPT)

export async function sweptPlan(name: string): Promise<Plan> {
  const planOf = SWEPT[name]
  if (planOf === undefined) throw new Error(`no plan is ${name}`)
  return planOf()
}
