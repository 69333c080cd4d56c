import { boardFor, inferPlacements, profileOf, type Board, type MigProfile, type Placement } from '@septet/domain'

/** A GPU model as the demo's nodes carry it: what NVML, GPU feature discovery and dcgm-exporter would say. */
export type Hardware = {
  /** Part of node names: `gpu-<key>-03`. */
  readonly key: string
  /** NVML name, as `modelName` of dcgm-exporter. */
  readonly modelName: string
  readonly memoryMib: number
  readonly family: string
  readonly compute: readonly [major: number, minor: number]
  readonly multiprocessors: number
  readonly machine: string
  readonly idleWatts: number
  readonly maxWatts: number
  readonly smClock: number
  readonly memoryClock: number
  readonly memoryTemperature: boolean
  readonly cpu: number
  readonly memoryGib: number
}

const H100: Hardware = {
  key: 'h100',
  modelName: 'NVIDIA H100 80GB HBM3',
  memoryMib: 81559,
  family: 'hopper',
  compute: [9, 0],
  multiprocessors: 132,
  machine: 'HGX-H100',
  idleWatts: 72,
  maxWatts: 700,
  smClock: 1980,
  memoryClock: 2619,
  memoryTemperature: true,
  cpu: 192,
  memoryGib: 2048,
}
const A100: Hardware = {
  key: 'a100',
  modelName: 'NVIDIA A100-SXM4-80GB',
  memoryMib: 81920,
  family: 'ampere',
  compute: [8, 0],
  multiprocessors: 108,
  machine: 'HGX-A100',
  idleWatts: 62,
  maxWatts: 400,
  smClock: 1410,
  memoryClock: 1593,
  memoryTemperature: true,
  cpu: 128,
  memoryGib: 1024,
}

/** The boards of the demo fleet. */
export const HARDWARE = {
  h100: H100,
  h200: { ...H100, key: 'h200', modelName: 'NVIDIA H200', memoryMib: 143771, machine: 'HGX-H200', memoryClock: 3201 },
  a100: A100,
  'a100-40': {
    ...A100,
    key: 'a100-40',
    modelName: 'NVIDIA A100-SXM4-40GB',
    memoryMib: 40960,
    memoryClock: 1215,
    cpu: 96,
  },
  l40s: {
    ...A100,
    key: 'l40s',
    modelName: 'NVIDIA L40S',
    memoryMib: 46068,
    family: 'ada-lovelace',
    compute: [8, 9],
    multiprocessors: 142,
    machine: 'PCIe-Server-4U',
    idleWatts: 34,
    maxWatts: 350,
    smClock: 2520,
    memoryClock: 9001,
    memoryTemperature: false,
    cpu: 64,
    memoryGib: 512,
  },
  a30: {
    ...A100,
    key: 'a30',
    modelName: 'NVIDIA A30',
    memoryMib: 24576,
    multiprocessors: 56,
    machine: 'PCIe-Server-2U',
    idleWatts: 28,
    maxWatts: 165,
    smClock: 1440,
    memoryClock: 1215,
    cpu: 64,
    memoryGib: 256,
  },
  t4: {
    ...A100,
    key: 't4',
    modelName: 'Tesla T4',
    memoryMib: 15360,
    family: 'turing',
    compute: [7, 5],
    multiprocessors: 40,
    machine: 'PCIe-Server-1U',
    idleWatts: 10,
    maxWatts: 70,
    smClock: 1590,
    memoryClock: 5001,
    memoryTemperature: false,
    cpu: 32,
    memoryGib: 128,
  },
} satisfies Record<string, Hardware>

export type HardwareKey = keyof typeof HARDWARE

/** The MIG board of a model that is known to have one. */
export function migBoard(hardware: Hardware): Board {
  const board = boardFor(hardware.modelName)
  if (board === undefined) throw new Error(`${hardware.modelName} has no known MIG geometry`)
  return board
}

/** A MIG instance cut into a GPU. */
export type CloudInstance = {
  readonly profile: string
  readonly placement: Placement
  /** NVML's GPU instance id (`GPU_I_ID`): not a placement, and used again after a reconfiguration. */
  readonly instance: string
}

/** Puts profiles where the geometry allows them, the largest first. Undefined when they do not fit together. */
export function nodePlace(board: Board, profiles: readonly string[]): readonly CloudInstance[] | undefined {
  const layout = inferPlacements(board, profiles)
  return layout === undefined
    ? undefined
    : cut(
        board,
        layout
          .toSorted((a, b) => b.placement.size - a.placement.size || a.placement.start - b.placement.start)
          .map(({ profile, placement }) => [profile, placement.start] as const),
      )
}

/** Cuts instances exactly where asked: `['3g.40gb', 4]`. */
export const cut = (board: Board, wanted: readonly (readonly [string, number])[]): readonly CloudInstance[] => {
  const profiles = wanted.map(([name]) => profileOf(board, name))
  if (profiles.some((profile) => profile === undefined)) throw new Error(`${board.key} lacks a profile of the layout`)
  return number(
    profiles.filter((profile) => profile !== undefined),
    wanted.map(([, start]) => start),
  )
}

// Drivers number instances from a range per size: 7g is 0, 4g and 3g 1–2, 2g 3–6, 1g 7–14, as `nvidia-smi mig -lgi` prints.
const FIRST_ID: Readonly<Record<number, number>> = { 8: 0, 4: 1, 2: 3, 1: 7 }

function number(profiles: readonly MigProfile[], starts: readonly number[]): readonly CloudInstance[] {
  const used = new Map<number, number>()
  return profiles.map((profile, index) => {
    const count = used.get(profile.size) ?? 0
    used.set(profile.size, count + 1)
    const start = starts[index] ?? 0
    return {
      profile: profile.name,
      placement: { start, size: profile.size },
      instance: String((FIRST_ID[profile.size] ?? 0) + count),
    }
  })
}
