import type { GpuModel } from '../gpu-model.ts'
import { other } from './rows.ts'

/** AMD's GPUs and accelerators. Labels are what node labellers write; none is an NVML name. */
export const AMD: readonly GpuModel[] = [
  ...other({ vendor: 'AMD', class: 'data-center', architecture: 'GCN5 / Vega' }, [
    {
      name: 'Radeon-Instinct-MI25',
      memory: 16,
      tdp: 300,
      labels: ['AMD Radeon Instinct MI25'],
      pci: '6860',
      unverified: ['memory', 'tdp'],
    },
  ]),
  ...other({ vendor: 'AMD', class: 'data-center', architecture: 'GCN5.1 / gfx906' }, [
    { name: 'Instinct-MI50', memory: [16, 32], tdp: 300, labels: ['AMD Instinct MI60 / MI50'] },
    { name: 'Instinct-MI60', memory: 32, tdp: 300, labels: ['AMD Instinct MI60 / MI50'] },
  ]),
  ...other({ vendor: 'AMD', class: 'data-center', architecture: 'CDNA / gfx908' }, [
    { name: 'Instinct-MI100', memory: 32, tdp: 300, labels: ['AMD Instinct MI100'], pci: '738C 738E' },
  ]),
  ...other({ vendor: 'AMD', class: 'data-center', architecture: 'CDNA2 / gfx90a' }, [
    { name: 'Instinct-MI210', memory: 64, tdp: 300, labels: ['AMD Instinct MI210'], pci: '740F 7410' },
    {
      name: 'Instinct-MI250',
      memory: 128,
      tdp: 560,
      labels: ['AMD Instinct MI250X / MI250'],
      note: 'two halves of 64 GB',
    },
    {
      name: 'Instinct-MI250X',
      memory: 128,
      tdp: 560,
      labels: ['AMD Instinct MI250X', 'AMD Instinct MI250X / MI250'],
      pci: '7408',
      note: 'two halves of 64 GB',
      unverified: ['memory', 'tdp'],
    },
  ]),
  ...other({ vendor: 'AMD', class: 'data-center', architecture: 'CDNA3 / gfx942' }, [
    {
      name: 'Instinct-MI300A',
      memory: 128,
      unified: true,
      tdp: [550, 760],
      partitioning: 'SPX/TPX/CPX',
      labels: ['AMD Instinct MI300A'],
      pci: '74A0',
      unverified: ['memory', 'tdp', 'partitioning'],
    },
    {
      name: 'Instinct-MI300X',
      memory: 192,
      tdp: 750,
      partitioning: 'SPX/DPX/QPX/CPX × NPS1/4',
      labels: ['AMD Instinct MI300X', 'AMD_Instinct_MI300X_OAM'],
      pci: '74A1 74A9 74B5 74BD',
    },
    {
      name: 'Instinct-MI308X',
      memory: 192,
      partitioning: 'yes, modes unknown',
      labels: ['AMD Instinct MI308X', 'AMD_Instinct_MI308X_OAM'],
      pci: '74A2 74A8 74B6 74BC',
      unverified: ['tdp', 'partitioning'],
    },
    {
      name: 'Instinct-MI325X',
      memory: 256,
      tdp: [750, 1000],
      partitioning: 'SPX/DPX/QPX/CPX',
      labels: ['AMD Instinct MI325X', 'AMD_Instinct_MI325X_OAM'],
      pci: '74A5 74B9',
      unverified: ['memory', 'tdp', 'partitioning'],
    },
  ]),
  ...other({ vendor: 'AMD', class: 'data-center', architecture: 'CDNA4 / gfx950' }, [
    {
      name: 'Instinct-MI350X',
      memory: 288,
      tdp: 1000,
      partitioning: 'yes, modes unknown',
      labels: ['AMD Instinct MI350X', 'AMD_Instinct_MI350X_OAM'],
      pci: '75A0 75B0',
      unverified: ['memory', 'partitioning'],
    },
    {
      name: 'Instinct-MI355X',
      memory: 288,
      tdp: 1400,
      partitioning: 'yes, modes unknown',
      labels: ['AMD Instinct MI355X', 'AMD_Instinct_MI355X_OAM'],
      pci: '75A3 75B3',
      unverified: ['memory', 'partitioning'],
    },
  ]),
  ...other({ vendor: 'AMD', class: 'data-center', architecture: 'RDNA1' }, [
    { name: 'Radeon-Pro-V520', memory: 8, tdp: 225, labels: ['radeon-pro-v520'], unverified: ['tdp'] },
  ]),
  ...other({ vendor: 'AMD', class: 'data-center', architecture: 'RDNA2 / gfx1030' }, [
    { name: 'Radeon-Pro-V620', memory: 32, tdp: 300, unverified: ['labels'] },
  ]),
  ...other({ vendor: 'AMD', class: 'data-center', architecture: 'RDNA3' }, [
    { name: 'Radeon-Pro-V710', memory: 28, tdp: 158, unverified: ['memory', 'tdp', 'labels'] },
  ]),
  ...other({ vendor: 'AMD', class: 'workstation', architecture: 'RDNA3 / gfx1100' }, [
    { name: 'Radeon-PRO-W7900', memory: 48, tdp: 295, unverified: ['labels'] },
    { name: 'Radeon-PRO-W7800', memory: [32, 48], tdp: 260, unverified: ['labels'] },
  ]),
  ...other({ vendor: 'AMD', class: 'workstation', architecture: 'RDNA4 / gfx1201' }, [
    { name: 'Radeon-AI-PRO-R9700', memory: 32, tdp: 300, unverified: ['labels'] },
  ]),
  ...other({ vendor: 'AMD', class: 'consumer', architecture: 'RDNA3 / gfx1100' }, [
    { name: 'Radeon-RX-7900-XTX', memory: 24, tdp: 355, unverified: ['labels'] },
  ]),
]
