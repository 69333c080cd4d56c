import type { GpuModel } from '../gpu-model.ts'
import { other } from './rows.ts'

/** Intel's GPUs and accelerators. Labels are what node labellers write; none is an NVML name. */
export const INTEL: readonly GpuModel[] = [
  ...other({ vendor: 'Intel', class: 'data-center', architecture: 'Xe-HPC' }, [
    {
      name: 'Data-Center-GPU-Max-1100',
      memory: 48,
      tdp: 300,
      partitioning: 'tiles/CCS only',
      labels: ['Max_1100'],
      unverified: ['memory', 'tdp'],
    },
    {
      name: 'Data-Center-GPU-Max-1550',
      memory: 128,
      tdp: 600,
      partitioning: 'tiles/CCS only',
      labels: ['Max_1550'],
      unverified: ['memory', 'tdp'],
    },
  ]),
  ...other({ vendor: 'Intel', class: 'data-center', architecture: 'Xe-HPG' }, [
    {
      name: 'Data-Center-GPU-Flex-140',
      memory: 12,
      tdp: 75,
      partitioning: 'SR-IOV',
      labels: ['Flex_140'],
      note: 'two halves of 6 GB',
      unverified: ['memory', 'tdp'],
    },
    {
      name: 'Data-Center-GPU-Flex-170',
      memory: 16,
      tdp: 150,
      partitioning: 'SR-IOV',
      labels: ['Flex_170'],
      unverified: ['memory', 'tdp'],
    },
  ]),
  ...other({ vendor: 'Intel', class: 'consumer', architecture: 'Xe-HPG' }, [
    { name: 'Arc-A770', memory: [8, 16], tdp: 225, unverified: ['labels'] },
  ]),
  ...other({ vendor: 'Intel', class: 'workstation', architecture: 'Xe2' }, [
    { name: 'Arc-Pro-B50', memory: 16, tdp: 70, unverified: ['labels'] },
    { name: 'Arc-Pro-B60', memory: [24, 48], tdp: 200, unverified: ['labels'] },
    { name: 'Arc-Pro-B70', memory: 32, tdp: 230, unverified: ['labels'] },
  ]),
  ...other({ vendor: 'Intel', class: 'data-center', architecture: 'Gaudi' }, [
    { name: 'Gaudi-HL-205', memory: 32, tdp: 350, unverified: ['memory', 'tdp', 'labels'] },
    { name: 'Gaudi-2', memory: 96, tdp: 600, unverified: ['memory', 'tdp', 'labels'] },
    { name: 'Gaudi-3', memory: 128, tdp: [600, 900], unverified: ['memory', 'tdp', 'labels'] },
  ]),
]
