import { type ActionRun, type Plan } from '@septet/domain'

import { acting, store } from './on-demo.ts'
import { proposed } from './runs.ts'

export const begun = async (plan: Plan): Promise<ActionRun> =>
  proposed(store.actions, plan, { now: acting.now(), kind: 'appointment' })
export const fenced = async (plan: Plan): Promise<readonly boolean[]> =>
  Promise.all(
    nodesOf(plan).map(async (name) => {
      const node = await acting.writer.get({ group: '', version: 'v1', resource: 'nodes', namespace: undefined, name })
      return node?.['spec'] !== undefined && JSON.stringify(node['spec']).includes('"unschedulable":true')
    }),
  )
export const nodesOf = ({ steps }: Plan): readonly string[] =>
  steps.flatMap(({ action }) => (action.kind === 'cordon' ? [action.node] : []))
export const evictedOf = ({ steps }: Plan): string | undefined =>
  steps.flatMap(({ action }) => (action.kind === 'evict' ? [action.pod] : []))[0]
export const setUnschedulable = async (name: string, unschedulable: true | null): Promise<unknown> =>
  acting.admin.write(
    {
      verb: 'patch',
      object: { group: '', version: 'v1', resource: 'nodes', namespace: undefined, name },
      type: 'merge',
      body: { spec: { unschedulable } },
    },
    { dryRun: false },
  )
export const sentences = ({ transitions }: ActionRun): readonly string[] => transitions.map(({ because }) => because)
export const runNow = async (run: ActionRun): Promise<ActionRun> => (await store.actions.get(run.id)) ?? run

/** Evictions begin ten minutes and a grace period before the instant. */
export const MINUTES = 720_000
