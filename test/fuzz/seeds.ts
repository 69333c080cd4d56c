import { parquetWriteBuffer } from 'hyparquet-writer'

import type { ParserName } from './parsers.ts'

const CHARGE = {
  BilledCost: '12.5',
  EffectiveCost: '10',
  BillingCurrency: 'USD',
  ChargeCategory: 'Usage',
  ChargePeriodStart: '2026-11-01T00:00:00Z',
  ChargePeriodEnd: '2026-11-01T01:00:00Z',
  ProviderName: 'AWS',
  RegionId: 'us-east-1',
  ResourceId: 'i-0123',
  ResourceName: 'gpu "one", left',
  ConsumedQuantity: '1',
  ConsumedUnit: 'Hours',
  SkuId: 'p4d.24xlarge',
}
const csvField = (text: string): string => `"${text.replaceAll('"', '""')}"`
const CSV = [Object.keys(CHARGE), Object.values(CHARGE), Object.values(CHARGE)]
  .map((row) => row.map(csvField).join(','))
  .join('\r\n')
const PARQUET = Buffer.from(
  parquetWriteBuffer({
    columnData: Object.entries(CHARGE).map(([name, value]) => ({
      name,
      data: [value, value],
      type: 'STRING' as const,
    })),
  }),
).toString('latin1')

const GPU = 'gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA A100-SXM4-40GB",Hostname="node-a"'
const HELD = 'namespace="lab",pod="one",container="main"'
const POD = {
  metadata: { name: 'one', namespace: 'lab', labels: { app: 'one' } },
  spec: {
    containers: [{ name: 'main', resources: { limits: { 'nvidia.com/gpu': 1, cpu: '500m', memory: '4Gi' } } }],
    tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
    nodeSelector: { zone: 'a' },
  },
}

/** What each reader is sent on a good day; all of it is made up. */
export const SEEDS: Readonly<Record<ParserName, readonly string[]>> = {
  manifest: [
    `apiVersion: batch/v1\nkind: Job\nmetadata: {name: train, namespace: lab, labels: {kueue.x-k8s.io/queue-name: gpus}}\nspec:\n  parallelism: 2\n  template:\n    spec:\n      containers:\n        - name: main\n          resources: {limits: {nvidia.com/gpu: 2, cpu: 500m, memory: 4Gi}}\n      affinity:\n        nodeAffinity:\n          requiredDuringSchedulingIgnoredDuringExecution:\n            nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec: {replicas: 3, template: {spec: {containers: [{name: a, resources: {requests: {nvidia.com/mig-1g.5gb: 1}}}]}}}\n`,
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...POD }),
    'apiVersion: v1\nkind: List\nitems:\n  - &a {apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {containers: []}}\n  - *a\n',
    'apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: p}\nspec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 1}}}]}}}}}\n',
    'apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: r}\nspec: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}, workerGroupSpecs: [{groupName: w, replicas: 2, template: {spec: {containers: [{name: w, resources: {limits: {nvidia.com/gpu: 1}}}]}}}]}\n',
  ],
  kubeconfig: [
    'apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: k, user: u, namespace: lab}}]\nclusters: [{name: k, cluster: {server: "https://k.example:6443", certificate-authority-data: LS0t}}]\nusers: [{name: u, user: {token: made-up}}]\n',
    'current-context: ""\ncontexts:\n- name: a\n  context: {cluster: a, user: a}\nclusters:\n- name: a\n  cluster: {server: "http://127.0.0.1:1", insecure-skip-tls-verify: true, proxy-url: "http://p.example"}\nusers:\n- name: a\n  user: {exec: {command: login, args: [x], apiVersion: client.authentication.k8s.io/v1}}\n',
  ],
  exposition: [
    `# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization.\n# TYPE DCGM_FI_DEV_GPU_UTIL gauge\nDCGM_FI_DEV_GPU_UTIL{${GPU},${HELD}} 97\nDCGM_FI_PROF_GR_ENGINE_ACTIVE{${GPU},${HELD}} 0.93 1764500000000\nDCGM_FI_DEV_FB_USED{${GPU},${HELD}} 30000\nDCGM_FI_DEV_FB_FREE{${GPU},${HELD}} 1e4\nDCGM_FI_DEV_XID_ERRORS{${GPU},err_code="0"} 0\n`,
    `DCGM_FI_PROF_GR_ENGINE_ACTIVE{${GPU},GPU_I_ID="7",GPU_I_PROFILE="1g.5gb",vgpu="1",${HELD}} NaN\namd_gpu_gfx_activity{gpu_id="0",serial_number="1",hostname="node-b",pod="two",namespace="lab"} 40\n# EOF\n`,
  ],
  'prometheus-answer': [
    '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up","pod":"a"},"values":[[1764500000,"1"],[1764500060.5,"NaN"]]}]}}',
    '{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1764500000,"0.5"]}]},"warnings":["w"]}',
    '{"status":"error","errorType":"bad_data","error":"parse error"}',
  ],
  'bill-csv': [CSV, CSV.replaceAll('Usage', 'Tax'), CSV.replaceAll('"12.5"', '"-1,250.75"')],
  'bill-parquet': [PARQUET],
  opencost: [
    '{"code":200,"data":{"AWS/__/node-a":{"type":"Node","properties":{"name":"node-a","providerID":"i-0123"},"nodeType":"p4d.24xlarge","GPUHours":8,"gpuCost":12.5,"adjustment":0,"totalCost":20}}}',
    '{"code":200,"data":[{"lab":{"gpuHours":4,"gpuCost":6.25,"gpuCostAdjustment":null}},null]}',
  ],
  'gpu-configs': [
    'version: v1\nmig-configs:\n  all-1g.5gb:\n    - devices: all\n      mig-enabled: true\n      mig-devices: {"1g.5gb": 7}\n  mixed:\n    - {device-filter: ["0x20B010DE"], devices: [0, 1], mig-enabled: true, mig-devices: {"3g.20gb": 2}}\n',
    'version: v1\nflags: {migStrategy: mixed}\nsharing:\n  timeSlicing:\n    renameByDefault: true\n    resources: [{name: nvidia.com/gpu, replicas: 4}]\n',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: device-plugin-config}\ndata:\n  any: |-\n    version: v1\n    sharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n',
  ],
  'words-and-numbers': [
    '500m\n4Gi\n1.5e3\n-2\n0.1u\n12E\n',
    'last-month\n7d\n2026-11-01..2026-11-30@Europe/Berlin\n2026-11-01T00:00:00Z/2026-11-02T12:30:00+02:00\ntoday@America/New_York\n',
    'cluster="prod",region=~"eu-.*"\nnamespace!="a\\"b"\npod!~\'x|y\'\n',
  ],
  claims: [
    '{"sub":"7f0c1f44-2c5e-4f0e-9b1d-0c3c0b6f4d11","exp":1764500000,"iat":1764496400,"email":"ann@example.com","role":"authenticated","aal":"aal1","amr":[{"method":"password","timestamp":1764496400}],"session_id":"7f0c1f44-2c5e-4f0e-9b1d-0c3c0b6f4d12"}',
  ],
  'admission-review': [
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid: 'u',
        kind: { group: '', version: 'v1', kind: 'Pod' },
        resource: { group: '', version: 'v1', resource: 'pods' },
        namespace: 'lab',
        operation: 'CREATE',
        object: { apiVersion: 'v1', kind: 'Pod', ...POD },
        dryRun: false,
      },
    }),
  ],
}
