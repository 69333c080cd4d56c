import { TestedDemo, type Answer, type Body } from './demo.fixture.ts'

export const demo = new TestedDemo()

export const GPU = 'nvidia.com/gpu'
export const of = (kind: keyof typeof GROUPS, namespace: string, name: string): string =>
  `/apis/${GROUPS[kind]}/namespaces/${namespace}/${kind}/${name}`
const GROUPS = {
  deployments: 'apps/v1',
  replicasets: 'apps/v1',
  statefulsets: 'apps/v1',
  jobs: 'batch/v1',
  cronjobs: 'batch/v1',
  notebooks: 'kubeflow.org/v1',
  workloads: 'kueue.x-k8s.io/v1beta2',
} as const
export const deployment = (namespace: string, name: string): string => of('deployments', namespace, name)

/** Lets time pass, and what is due happen. */
export async function pass(milliseconds: number): Promise<void> {
  demo.now += milliseconds
  await demo.get('/version')
}

export const podsOf = (object: Body): Promise<readonly Body[]> =>
  demo.items(
    `/api/v1/namespaces/${object['metadata'].namespace}/pods?labelSelector=app.kubernetes.io/name=${object['metadata'].labels['app.kubernetes.io/name']}`,
  )
export const isLeaving = (pod: Body): boolean => pod['metadata'].deletionTimestamp !== undefined
export const isRunning = (pod: Body): boolean => pod['status'].phase === 'Running' && !isLeaving(pod)
export const scale = (path: string, replicas: number): Promise<Answer> =>
  demo.patch(`${path}/scale`, { spec: { replicas } })
export const limitsOf = (pod: Body): Body => pod['spec'].containers[0].resources.limits as Body
export const exposition = async (node: string): Promise<string> =>
  await (await fetch(`${demo.cluster.apiUrl}/exporter/${node}/metrics`)).text()
export const named = (namespace: string, pod: string): string => `namespace="${namespace}",pod="${pod}"`

export const training = async (): Promise<Body> => {
  const jobs = await demo.items('/apis/batch/v1/namespaces/ml-platform/jobs')
  return jobs.find((each) => each['status'].active > 0 && each['metadata'].ownerReferences === undefined) ?? {}
}
export const pathOf = (job: Body): string => of('jobs', job['metadata'].namespace, job['metadata'].name)
