import { instant } from '@septet/domain'
import { describe, expect, it } from 'vitest'

import { foldText } from './fold-text.fixture.ts'
import { openScaleMemory } from './scale-memory.ts'

const AT = instant(1_700_000_000_000)

const fold = (texts: readonly string[], scales = openScaleMemory()) => foldText(texts, AT, scales)

const gpu = (id: string, more = '') => `gpu="0",UUID="GPU-${id}",modelName="NVIDIA H100 80GB HBM3",Hostname="n1"${more}`
const one = (text: string, scales = openScaleMemory()) => fold([text], scales).samples[0]

// Lines as published: NVIDIA/dcgm-exporter issues 512 and 340, NVIDIA's documentation, Kubecost's and Cast AI's data.
describe('published lines', () => {
  it('H100, MIG, with a pod', () => {
    const line =
      'DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="GPU-58e8f5ea-13cc-013a-d88f-2bcf5ae8bc77",pci_bus_id="00000000:1A:00.0",device="nvidia0",modelName="NVIDIA H100 80GB HBM3",GPU_I_PROFILE="1g.10gb",GPU_I_ID="7",Hostname="gsrh100-074",DCGM_FI_DRIVER_VERSION="535.129.03",container="kserve-container",namespace="model-playground-stg",pod="text-embedding-predictor-00008-deployment-57946f6c67-vdtjl"} 0.000000\n'
    expect(one(line)).toEqual({
      at: AT,
      node: 'gsrh100-074',
      gpu: 'GPU-58e8f5ea-13cc-013a-d88f-2bcf5ae8bc77',
      index: 0,
      model: 'NVIDIA H100 80GB HBM3',
      instance: { id: '7', profile: '1g.10gb' },
      holder: {
        namespace: 'model-playground-stg',
        pod: 'text-embedding-predictor-00008-deployment-57946f6c67-vdtjl',
        container: 'kserve-container',
      },
      busy: 0,
    })
  })

  it('A100, MIG, old label set', () => {
    const line =
      'DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="GPU-34319582-d595-d1c7-d1d2-179bcfa61660",device="nvidia0",GPU_I_PROFILE="1g.5gb",GPU_I_ID="13",Hostname="ub20-a100-k8s"} 0.995687\n'
    expect(one(line)).toMatchObject({
      node: 'ub20-a100-k8s',
      model: '',
      instance: { id: '13', profile: '1g.5gb' },
      busy: 0.995687,
    })
  })

  it('T4, idle, only a metric that is not read: no device comes of it', () => {
    const line =
      'DCGM_FI_DEV_SM_CLOCK{gpu="0",UUID="GPU-0781f3bb-da15-f334-d5db-37b3f19542d0",pci_bus_id="00000000:00:1B.0",device="nvidia0",modelName="Tesla T4",Hostname="ip-172-31-16-106",DCGM_FI_DRIVER_VERSION="535.183.06"} 1365\n'
    expect(fold([line]).samples).toEqual([])
    expect(one(line.replace('SM_CLOCK', 'FB_USED'))).toMatchObject({
      node: 'ip-172-31-16-106',
      model: 'Tesla T4',
      memoryUsed: 1365,
    })
  })

  it('H100, whole, with an empty pod_uid', () => {
    const line =
      'DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-c4529c8d-69c4-b61d-e0bc-7b2460096005",pci_bus_id="00000000:53:00.0",device="nvidia0",modelName="NVIDIA H100 80GB HBM3",Hostname="gpu-node-1",DCGM_FI_DRIVER_VERSION="580.105.08",container="main",namespace="dynamo-workload",pod="vllm-agg-0-vllmdecodeworker-s65j5",pod_uid=""} 30\n'
    const sample = one(line)
    expect(sample).toMatchObject({ temperature: 30, holder: { namespace: 'dynamo-workload', container: 'main' } })
    expect(sample).not.toHaveProperty('instance')
    expect(sample).not.toHaveProperty('busy')
  })

  const stored =
    'DCGM_FI_DEV_GPU_TEMP{DCGM_FI_DRIVER_VERSION="545.29.06",Hostname="worker1",UUID="GPU-longgui",container="exporter",device="nvidia0",endpoint="metrics",exported_container="ai-artifactory-control",exported_namespace="default",exported_pod="pod1",gpu="0",instance="someip:9400",job="dcgm-exporter-dev",modelName="NVIDIA GeForce RTX 4090",namespace="monitoring",pod="dcgm-exporter-dev-78z52",service="dcgm-exporter-dev"} 40\n'
  it('as Prometheus has them without honored labels: the exported ones name the pod', () => {
    expect(one(stored)).toMatchObject({
      holder: { namespace: 'default', pod: 'pod1', container: 'ai-artifactory-control' },
    })
  })
  it('and on an idle GPU the exporter’s own pod is not a holder', () => {
    expect(one(stored.replaceAll(/exported_\w+="[^"]*",/g, ''))).not.toHaveProperty('holder')
  })

  it('a label set without a metric name is not a sample', () => {
    const line =
      '{gpu="0",UUID="GPU-b9f9e81b-bee7-34bc-af17-132ef6592740",device="nvidia0",modelName="NVIDIA T400 4GB",Hostname="workstation",DCGM_FI_DRIVER_VERSION="545.29.02",window_size_in_ms="300000",xid="42"} 1\n'
    expect(fold([line]).samples).toEqual([])
  })
})

describe('labels', () => {
  it.each([
    ['hostname in lower case', 'UUID="GPU-a",hostname="n2"', { node: 'n2' }],
    [
      'the old MIG identity',
      'UUID="MIG-GPU-a/7/0",GPU_I_PROFILE="1g.5gb"',
      { gpu: 'GPU-a', instance: { id: '7', profile: '1g.5gb' } },
    ],
    ['the index from the device', 'UUID="GPU-a",device="nvidia3"', { index: 3 }],
    [
      'a replica',
      'UUID="GPU-a",vgpu="2",pod="p",namespace="s",container="c"',
      { vgpu: '2', holder: { namespace: 's', pod: 'p', container: 'c' } },
    ],
    ['empty pod labels', 'UUID="GPU-a",pod="",namespace="",container=""', { holder: undefined }],
    [
      'all names in lower case',
      'uuid="GPU-a",hostname="n2",modelname="T4",gpu_i_id="3",gpu_i_profile="1g.5gb"',
      { gpu: 'GPU-a', node: 'n2', model: 'T4', instance: { id: '3', profile: '1g.5gb' } },
    ],
    ['an empty GPU_I_ID', 'UUID="GPU-a",GPU_I_ID="",GPU_I_PROFILE=""', { instance: undefined }],
  ])('%s', (_, labels, expected) => {
    const sample = one(`DCGM_FI_DEV_FB_USED{${labels}} 1\n`)
    expect({ holder: undefined, instance: undefined, ...sample }).toMatchObject(expected)
  })

  it('a series without a UUID belongs to no device', () => {
    expect(fold(['DCGM_FI_DEV_FB_USED{gpu="0"} 1\n']).samples).toEqual([])
  })
})

describe('values', () => {
  it.each(['NaN', '+Inf', '-1', '1.5', '9223372036854775792', '140737488355328'])(
    'busy %s is dropped with its reason',
    (value) => {
      const sample = one(`DCGM_FI_PROF_GR_ENGINE_ACTIVE{${gpu('a')}} ${value}\n`)
      expect(sample).not.toHaveProperty('busy')
      expect(sample?.unusable).toEqual({ busy: 'out-of-range' })
    },
  )

  it('the newer names tell the same, and fill in for an older one that is blank', () => {
    const sample = one(
      `DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO{${gpu('a')}} 0.5\nDCGM_FI_PROF_SM_UTIL_RATIO{${gpu('a')}} 0.4\n` +
        `DCGM_FI_DEV_BOARD_POWER_WATTS{${gpu('a')}} 300\nDCGM_FI_DEV_POWER_USAGE{${gpu('a')}} 9.3e18\nDCGM_FI_DEV_XID_ERROR{${gpu('a')}} 79\n`,
    )
    expect(sample).toMatchObject({ busy: 0.5, effective: 0.4, power: 300, xid: 79 })
    expect(sample).not.toHaveProperty('unusable')
  })

  it('a memory temperature of 0 means that the board has no such sensor', () => {
    const told = (value: number) =>
      one(`DCGM_FI_DEV_MEMORY_TEMP{${gpu('a')}} ${value}\nDCGM_FI_DEV_GPU_TEMP{${gpu('a')}} 40\n`)
    expect(told(71)).toMatchObject({ temperature: 40, memoryTemperature: 71 })
    expect(told(0)).not.toHaveProperty('memoryTemperature')
    expect(told(0)).not.toHaveProperty('unusable')
    expect(one(`DCGM_FI_DEV_MEMORY_TEMP_CELSIUS{${gpu('a')}} 71\n`)).toMatchObject({ memoryTemperature: 71 })
  })

  it('XID 0 means that there was none', () => {
    expect(one(`DCGM_FI_DEV_XID_ERRORS{${gpu('a')}} 0\n`)).not.toHaveProperty('xid')
  })

  it.each([
    ['DCGM_FI_DEV_GPU_UTIL', 'a percentage as soon as any series is above 1', [0, 1, 87], [0, 0.01, 0.87]],
    ['DCGM_FI_DEV_GPU_UTIL_RATIO', 'a percentage despite its name', [0, 1, 87], [0, 0.01, 0.87]],
    ['DCGM_FI_DEV_GPU_UTIL_RATIO', 'a ratio when nothing is above 1', [0, 1, 0.87], [0, 1, 0.87]],
    ['DCGM_FI_DEV_GPU_UTIL', 'a ratio when a pipeline converted it', [0, 0.25, 0.87], [0, 0.25, 0.87]],
  ])('%s is %s', (...row) => {
    const [name, , values, expected] = row
    const text = values.map((value, index) => `${name}{${gpu(String(index))}} ${value}\n`).join('')
    expect(fold([text]).samples.map((sample) => sample.kernelTime)).toEqual(expected)
  })

  it('a scale once observed is remembered through an idle night', () => {
    const scales = openScaleMemory()
    one(`DCGM_FI_DEV_GPU_UTIL_RATIO{${gpu('a')}} 87\n`, scales)
    expect(one(`DCGM_FI_DEV_GPU_UTIL_RATIO{${gpu('a')}} 1\n`, scales)?.kernelTime).toBe(0.01)
  })
})

describe('one level per GPU', () => {
  const whole = `DCGM_FI_PROF_GR_ENGINE_ACTIVE{${gpu('a')}} 0.9\nDCGM_FI_DEV_POWER_USAGE{${gpu('a')}} 400\nDCGM_FI_DEV_FB_USED{${gpu('a')}} 9\n`
  const instances = [3, 4]
    .map((id) => `DCGM_FI_PROF_GR_ENGINE_ACTIVE{${gpu('a', `,GPU_I_ID="${id}",GPU_I_PROFILE="3g.40gb"`)}} 0.${id}\n`)
    .join('')

  it('with instances the whole GPU only lends what the board has', () => {
    const { samples } = fold([whole + instances])
    expect(samples.map(({ instance, busy, power, memoryUsed }) => [instance?.id, busy, power, memoryUsed])).toEqual([
      ['3', 0.3, 400, undefined],
      ['4', 0.4, 400, undefined],
    ])
  })

  it('without instances it stays', () => {
    expect(fold([whole]).samples.map(({ busy }) => busy)).toEqual([0.9])
  })

  it('a GPU instance id with another profile is another device', () => {
    const other = instances.replaceAll('3g.40gb', '1g.10gb')
    expect(fold([instances + other]).samples.length).toBe(4)
  })
})

const text = (busy: number, pod = '') =>
  `DCGM_FI_PROF_GR_ENGINE_ACTIVE{${gpu('a', pod)}} ${busy}\nDCGM_FI_DEV_FB_USED{${gpu('a', pod)}} 100\n`

describe('two exporters for one GPU', () => {
  it('equal values become one sample, with the holder of the one that knows it', () => {
    const { samples, problems } = fold([text(0.5), text(0.5, ',pod="p",namespace="s",container="c"')])
    expect(problems).toEqual([])
    expect(samples).toMatchObject([{ busy: 0.5, holder: { pod: 'p' } }])
  })

  it('different values are not used, and the sentence names both exporters', () => {
    const { samples, problems } = fold([text(0.5), text(0.9)])
    expect(samples).toMatchObject([{ memoryUsed: 100, unusable: { busy: 'duplicated-series' } }])
    expect(samples[0]).not.toHaveProperty('busy')
    expect(problems).toMatchObject([{ code: 'duplicated-series', object: 'node/n1' }])
    expect(problems[0]?.message).toMatch(/exporter-0 and exporter-1 both report GPU-a on node n1/)
  })

  it('which are one, scraped twice, are told so', () => {
    const [problem] = fold([text(0.5) + text(0.9)]).problems
    expect(problem?.message).toMatch(/^exporter-0 reports GPU-a .*One exporter is scraped twice/u)
  })

  it('of no known node are told without one', () => {
    const [problem] = fold([text(0.5), text(0.9)].map((each) => each.replaceAll(',Hostname="n1"', ''))).problems
    expect(problem).toMatchObject({
      message: expect.stringMatching(/report GPU-a with different/u),
      object: 'telemetry',
    })
  })
})
