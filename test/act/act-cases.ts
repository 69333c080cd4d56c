import { liveNumberAt, textAt, type ObjectRef, type Plan } from '@septet/domain'

import { acting } from './on-demo.ts'
import { adviceOf } from './runs.ts'

export const PLUGIN_LABEL = 'nvidia.com/device-plugin.config'
export const pluginMap: ObjectRef = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  namespace: 'gpu-operator',
  name: 'device-plugin-config',
}

export const removedBy = (plan: Plan): string =>
  plan.steps.flatMap(({ action }) => (action.kind === 'remove-node' ? action.node : []))[0] ?? ''
export const nodeRefOf = (name: string): ObjectRef => ({
  group: '',
  version: 'v1',
  resource: 'nodes',
  namespace: undefined,
  name,
})

export const advisedFor = (plan: Plan) => [adviceOf(plan, 'reclaim-idle')]
/** What its owner said of it, and what Septet warns of. */
export const annotationsOf = async (object: ObjectRef) => {
  const live = await acting.writer.get(object)
  return ['keep', 'idle-warning'].map((key) => textAt(live, 'metadata', 'annotations', `septet.io/${key}`))
}
export const replicasOf = async (object: ObjectRef) => liveNumberAt(await acting.writer.get(object), 'spec', 'replicas')

export function targetOf(plan: Plan): ObjectRef {
  const scale = plan.steps[0]?.action
  if (scale?.kind !== 'scale') throw new Error('it scales nothing')
  const [namespace, , name = ''] = scale.workload.split('/')
  return { group: 'apps', version: 'v1', resource: 'statefulsets', namespace, name }
}
