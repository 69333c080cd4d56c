import type { WorkloadClass } from '@septet/domain'
import { lookUp } from '../connect/look-up.ts'

type Labels = Readonly<Record<string, string>>

/**
 * What kind of work it is: our own label if it holds a class, else the topmost owner's kind if that kind does one
 * thing only, else a label that a framework leaves, else `app.kubernetes.io/component`, else what plain owners
 * (Job, Deployment) mostly do.
 */
export function workloadClass(kind: string, labels: Labels): WorkloadClass {
  return (
    lookUp(CLASSES, labels['septet.io/workload-class']) ??
    lookUp(SPECIAL_KINDS, kind) ??
    FRAMEWORK_LABELS.find(([label]) => Object.hasOwn(labels, label))?.[1] ??
    lookUp(COMPONENTS, (labels['app.kubernetes.io/component'] ?? labels['component'])?.toLowerCase()) ??
    lookUp(PLAIN_KINDS, kind) ??
    'unknown'
  )
}

type Table = Readonly<Record<string, WorkloadClass>>

const CLASSES: Table = {
  training: 'training',
  inference: 'inference',
  analytics: 'analytics',
  notebook: 'notebook',
  unknown: 'unknown',
}

const SPECIAL_KINDS: Table = {
  Notebook: 'notebook',
  PyTorchJob: 'training',
  TFJob: 'training',
  JAXJob: 'training',
  XGBoostJob: 'training',
  PaddleJob: 'training',
  MPIJob: 'training',
  TrainJob: 'training',
  RayJob: 'training',
  AppWrapper: 'training',
  InferenceService: 'inference',
  LLMInferenceService: 'inference',
  LeaderWorkerSet: 'inference',
  RayService: 'inference',
  SeldonDeployment: 'inference',
  NIMService: 'inference',
  DynamoGraphDeployment: 'inference',
  SparkApplication: 'analytics',
  ScheduledSparkApplication: 'analytics',
  CronJob: 'analytics',
}

// Labels of Kubeflow, JupyterHub, KServe, Spark, JobSet, LeaderWorkerSet and Argo Workflows, as they set them on pods.
const FRAMEWORK_LABELS: readonly (readonly [string, WorkloadClass])[] = [
  ['notebook-name', 'notebook'],
  ['jupyterhub.hub/username', 'notebook'],
  ['serving.kserve.io/inferenceservice', 'inference'],
  ['leaderworkerset.sigs.k8s.io/name', 'inference'],
  ['training.kubeflow.org/job-name', 'training'],
  ['jobset.sigs.k8s.io/jobset-name', 'training'],
  ['spark-role', 'analytics'],
  ['workflows.argoproj.io/workflow', 'analytics'],
]

const COMPONENTS: Table = {
  ...CLASSES,
  'singleuser-server': 'notebook',
  jupyter: 'notebook',
  trainer: 'training',
  serving: 'inference',
  predictor: 'inference',
  'model-server': 'inference',
  etl: 'analytics',
  batch: 'analytics',
}

const PLAIN_KINDS: Table = { Job: 'training', JobSet: 'training', Deployment: 'inference', StatefulSet: 'inference' }
