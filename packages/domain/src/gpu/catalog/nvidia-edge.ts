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
    {
      name: 'Jetson-AGX-Orin-64GB',
      nvmlName: 'Orin (nvgpu)',
      memory: 64,
      unified: true,
      tdp: 60,
      unverified: ['nvmlName'],
    },
    {
      name: 'Jetson-Orin-NX-16GB',
      nvmlName: 'Orin (nvgpu)',
      memory: 16,
      unified: true,
      tdp: 25,
      unverified: ['nvmlName'],
    },
  ]),
]
