import type { GpuModel } from '../gpu-model.ts'
import { nvidia } from './rows.ts'

/** NVIDIA's integrated GPUs of edge modules and small systems. */
export const NVIDIA_EDGE: readonly GpuModel[] = [
  ...nvidia({ class: 'edge', architecture: 'Blackwell' }, [
    {
      nvmlName: 'NVIDIA GB10',
      memory: 128,
      unified: true,
      tdp: [140, 240],
      mig: 'unknown',
      pci: '2E12',
      unverified: ['mig'],
    },
    {
      nvmlName: 'NVIDIA Thor',
      memory: 128,
      unified: true,
      tdp: 130,
      mig: 'yes',
      unverified: ['nvmlName', 'memory', 'tdp'],
    },
  ]),
  ...nvidia({ class: 'edge', architecture: 'Ampere' }, [
    // AGX Orin, Orin NX and Orin Nano of every size: the driver names all alike.
    {
      name: 'Jetson-Orin',
      nvmlName: 'Orin (nvgpu)',
      memory: [4, 64],
      unified: true,
      tdp: [25, 60],
      unverified: ['nvmlName', 'memory', 'tdp'],
    },
  ]),
]
