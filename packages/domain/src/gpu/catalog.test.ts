import { describe, expect, it } from 'vitest'
import { GPU_MODELS, findModel, isBeforeVolta } from './catalog.ts'
import { findModelByCloudLabel } from './cloud-label.ts'
import { mib } from '../units.ts'
import { BOARDS } from './known-boards.ts'
import { migSupport } from './mig-support.ts'
import { modelKey, productOf } from './product-name.ts'

const named = (label: string): string | undefined => findModel(label)?.name
const shared = new Set(['AMD Instinct MI60 / MI50', 'AMD Instinct MI250X / MI250'])

describe('the catalog', () => {
  it('has 161 NVIDIA models and 31 others, each name once', () => {
    expect(GPU_MODELS.filter(({ vendor }) => vendor === 'NVIDIA')).toHaveLength(161)
    expect(GPU_MODELS).toHaveLength(192)
    expect(new Set(GPU_MODELS.map(({ name }) => modelKey(name))).size).toBe(192)
  })

  it('finds every model by every name of its own, and by it no other', () => {
    for (const model of GPU_MODELS) {
      const names = [model.name, model.nvmlName ?? model.name, model.gfdProduct ?? model.name, ...model.labels]
      for (const name of names) expect(findModel(name)).toBe(shared.has(name) ? undefined : model)
    }
  })

  it('finds every NVIDIA model on a shared and on a MIG node', () => {
    for (const model of GPU_MODELS.filter(({ gfdProduct = '' }) => gfdProduct !== '' && !shared.has(gfdProduct))) {
      for (const suffix of ['-SHARED', '-MIG-1g.10gb', '-MIG-1g.5gb.me-SHARED', '-MIG-INVALID']) {
        expect(findModel(`${model.gfdProduct}${suffix}`)).toBe(model)
      }
    }
  })

  it('says of every value that is missing or without a source that it is unverified', () => {
    const silent = GPU_MODELS.filter(
      ({ memory, tdp, mig, unverified }) =>
        (memory === undefined && !unverified.includes('memory')) ||
        (tdp === undefined && !unverified.includes('tdp')) ||
        ((mig === 'likely' || mig === 'unknown') && !unverified.includes('mig')),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
    expect(findModel('L40G')?.unverified).toEqual(['nvmlName', 'gfdProduct', 'memory', 'tdp'])
    expect(findModel('A100-SXM4-80GB')?.unverified).toEqual([])
  })

  it('has sensible ranges', () => {
    const odd = GPU_MODELS.filter(
      ({ memory, tdp }) =>
        (memory !== undefined && (memory.min < 3 || memory.min > memory.max)) ||
        (tdp !== undefined && (tdp.min < 25 || tdp.min > tdp.max)),
    )
    expect(odd.map(({ name }) => name)).toEqual([])
    expect(findModel('NVIDIA A10G')?.tdp).toEqual({ min: 150, max: 300 })
    expect(findModel('Tesla K80')).toMatchObject({ gpusPerBoard: 2, tdpOf: 'board', memory: { min: 12, max: 12 } })
    expect(findModel('GB10')).toMatchObject({ unifiedMemory: true, mig: 'unknown' })
  })

  it('keeps both figures where sources differ on Blackwell memory', () => {
    expect(findModel('B200')).toMatchObject({ memory: { min: 180, max: 192 }, reportedMemory: 183_359 })
    expect(findModel('B300-SXM6-AC')).toMatchObject({ memory: { min: 269, max: 288 }, reportedMemory: 275_040 })
  })

  it('takes the data sheets for V100 and P100 power', () => {
    expect(findModel('V100-PCIE-16GB')?.tdp?.max).toBe(250)
    expect(findModel('V100-SXM2-16GB')?.tdp?.max).toBe(300)
    expect(findModel('P100-PCIE-16GB')).toMatchObject({ tdp: { max: 250 } })
    expect(findModel('P100-PCIE-16GB')?.unverified).toContain('tdp')
  })
})

describe('findModel', () => {
  it.each([
    ['NVIDIA A100-SXM4-40GB', 'A100-SXM4-40GB'],
    ['A100-SXM4-40GB', 'A100-SXM4-40GB'],
    ['nvidia-a100-sxm4-40gb', 'A100-SXM4-40GB'],
    ['NVIDIA-H100-80GB-HBM3-MIG-3g.40gb', 'H100-80GB-HBM3'],
    ['NVIDIA H100 80GB HBM3', 'H100-80GB-HBM3'],
    ['NVIDIA-H100-NVL-MIG-1g.12gb', 'H100-NVL'],
    ['Tesla T4', 'T4'],
    ['Tesla-T4-SHARED', 'T4'],
    ['NVIDIA TITAN X (Pascal)', 'TITAN-X-Pascal'],
    ['AMD_Instinct_MI300X_OAM', 'Instinct-MI300X'],
    ['Max_1550', 'Data-Center-GPU-Max-1550'],
    ['Orin-(nvgpu)', 'Jetson-Orin'],
    ['AMD device 74b5', 'Instinct-MI300X'],
    ['AMD device 74A1', 'Instinct-MI300X'],
    ['AMD device 74a5', 'Instinct-MI325X'],
    ['AMD device 74b9', 'Instinct-MI325X'],
    ['AMD device 75a0', 'Instinct-MI350X'],
    ['AMD_Instinct_MI325X_OAM', 'Instinct-MI325X'],
  ])('%s is %s', (label, name) => {
    expect(named(label)).toBe(name)
  })

  it.each([
    ['B200', 'GB200'],
    ['B300-SXM6-AC', 'GB300'],
    ['H20', 'H200'],
    ['H200', 'GH200 144G HBM3e'],
    ['A30', 'RTX A3000'],
    ['A10', 'A100-SXM4-40GB'],
    ['A10', 'A10G'],
    ['L4', 'L40'],
    ['L40', 'L40S'],
    ['T4', 'T4G'],
    ['RTX-A2000', 'RTX A2000 12GB'],
    ['Quadro-RTX-6000', 'RTX 6000 Ada Generation'],
  ])('%s is not %s', (name, label) => {
    expect(named(name)).toBe(name)
    expect(named(label)).not.toBe(name)
  })

  it.each(['', 'A100', 'GH200', 'NVIDIA', 'NVIDIA H100 80GB', 'RTX 6000', 'NVIDIA A100-SXM4-40GB extra', 'A_Series'])(
    'knows no %j',
    (label) => {
      expect(findModel(label)).toBeUndefined()
    },
  )

  it('gives no model for a name that several share', () => {
    for (const label of shared) expect(findModel(label)).toBeUndefined()
  })

  it('tells what has no profiling counters', () => {
    expect(['P40', 'M60', 'K80'].map((name) => isBeforeVolta(findModel(name) ?? never(name)))).toEqual([
      true,
      true,
      true,
    ])
    expect(isBeforeVolta(findModel('V100-SXM2-16GB') ?? never('V100'))).toBe(false)
  })
})

const whyAsked = (mig: 'yes' | 'likely' | 'unknown'): string => {
  const model = GPU_MODELS.find((each) => each.mig === mig && migSupport(each).kind === 'ask-node')
  const support = model === undefined ? undefined : migSupport(model)
  return support?.kind === 'ask-node' ? support.because.replace(model?.name ?? '', 'X') : 'none'
}

describe('migSupport', () => {
  it('has a board for every name on a board, of a model that can do MIG', () => {
    for (const board of BOARDS) {
      for (const name of board.names) {
        expect(migSupport(name)).toEqual({ kind: 'known', board })
        expect(findModel(name)?.mig).toBe('yes')
      }
    }
  })

  it('asks the node where placements are not published, and never guesses', () => {
    expect(migSupport('NVIDIA RTX PRO 5000 Blackwell')).toMatchObject({ kind: 'ask-node', menu: { computeSlices: 4 } })
    for (const name of ['H20 NVL16', 'A100-SXM-64GB', 'RTX PRO 4500 Blackwell', 'AX800', 'RTX 6000D']) {
      expect(migSupport(name)).toMatchObject({ kind: 'ask-node', menu: undefined })
    }
  })

  it('says why the node has to be asked, by what is known of the model', () => {
    expect(whyAsked('yes')).toBe(
      'X supports MIG, but its placements are not published: ask the node which profiles fit',
    )
    expect(whyAsked('likely')).toBe(
      'X likely supports MIG, by its silicon, but no table of it is published: ask the node',
    )
    expect(whyAsked('unknown')).toBe('it is not published whether X supports MIG: ask the node')
  })

  it('tells a board without MIG from one we do not know', () => {
    for (const name of ['L40', 'L40S', 'T4', 'GeForce RTX 4090', 'Instinct-MI300X']) {
      expect(migSupport(name)).toEqual({ kind: 'none' })
    }
    expect(migSupport('NVIDIA R100')).toEqual({ kind: 'unknown-model' })
  })
})

const gke = (accelerator: string) => findModelByCloudLabel({ cloud: 'gke', accelerator })?.name
const aws = (gpuName: string, memory?: number) =>
  findModelByCloudLabel({ cloud: 'aws', gpuName, gpuMemory: memory === undefined ? undefined : mib(memory) })?.name

describe('findModelByCloudLabel', () => {
  it('reads the accelerator of GKE', () => {
    expect(gke('nvidia-tesla-t4')).toBe('T4')
    expect(gke('nvidia-l4')).toBe('L4')
    expect(gke('nvidia-h100-mega-80gb')).toBe('H100-80GB-HBM3')
    expect(gke('nvidia-rtx-pro-6000')).toBe('RTX-PRO-6000-Blackwell-Server-Edition')
    expect(gke('nvidia-tesla-v100')).toBeUndefined()
  })

  it("reads AWS's name, with the memory where the name is two boards", () => {
    expect(aws('a100', 40_960)).toBe('A100-SXM4-40GB')
    expect(aws('a100', 81_920)).toBe('A100-SXM4-80GB')
    expect(aws('a100')).toBeUndefined()
    expect(aws('v100', 16_384)).toBeUndefined()
    expect(aws('l4', 2861)).toBe('L4')
    expect(aws('rtx-pro-server-6000')).toBe('RTX-PRO-6000-Blackwell-Server-Edition')
    expect(aws('quantum')).toBeUndefined()
  })
})

describe('productOf', () => {
  it('spells as GPU feature discovery does', () => {
    expect(productOf('NVIDIA A100 80GB PCIe')).toBe('NVIDIA-A100-80GB-PCIe')
    expect(productOf('NVIDIA TITAN X (Pascal)')).toBe('NVIDIA-TITAN-X-Pascal')
  })
})

function never(name: string): never {
  throw new Error(`${name} is not in the catalog`)
}
