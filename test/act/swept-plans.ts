import type { Plan, Store } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'

import { ActingDemo } from './acting-demo.ts'
import { SCARCE, someAppointment, someCut, someRemoval, someResize, someShare, someStop } from './runs.ts'

async function cutUnder(acting: ActingDemo, fault: Parameters<ActingDemo['demo']['faults']['add']>[0]): Promise<Plan> {
  const plan = await someCut(acting, 1)
  acting.demo.faults.add(fault)
  return plan
}

/** A plan of each kind, some on a cluster with a fault, whose carrying out is disturbed at one moment after the other. */
const SWEPT: Readonly<Record<string, (acting: ActingDemo) => Promise<Plan>>> = {
  'a cut that displaces a pod': (acting) => someCut(acting, 1),
  'a cut at which mig-manager fails': (acting) => cutUnder(acting, { kind: 'mig-failed' }),
  'a cut of which three answers are lost': (acting) => cutUnder(acting, { kind: 'answer-lost', times: 3 }),
  'a Deployment that is stopped': (acting) => someStop(acting, 'Deployment'),
  'a node that is removed': (acting) => someRemoval(acting, 1),
  'a node whose GPUs are shared': someShare,
  'a StatefulSet that is stopped': (acting) => someStop(acting, 'StatefulSet'),
  'a Deployment that is made smaller': (acting) => someResize(acting, 'Deployment'),
  'a StatefulSet whose smaller pod finds no place': (acting) => someResize(acting, 'StatefulSet', SCARCE),
  'GPUs for an appointment': (acting) => someAppointment(acting),
  'MIG instances for an appointment': (acting) => someAppointment(acting, { profile: '3g.40gb', gpus: 2 }),
}
export const SWEPT_PLANS = Object.keys(SWEPT)

export type Swept = { readonly acting: ActingDemo; readonly store: Store; readonly plan: Plan }

/** Does something with such a plan on a demo cluster and a store of its own. */
export async function withPlan<Result>(name: string, work: (on: Swept) => Promise<Result>): Promise<Result> {
  const planOf = SWEPT[name]
  if (planOf === undefined) throw new Error(`no plan is ${name}`)
  const store = await openTestStore()
  const acting = await ActingDemo.start(store)
  try {
    return await work({ acting, store, plan: await planOf(acting) })
  } finally {
    await acting.close()
    await store.close()
  }
}
