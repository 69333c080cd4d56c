import type { GpuModel } from '../gpu-model.ts'
import { nvidia } from './rows.ts'

/** NVIDIA's workstation GPUs. */
export const NVIDIA_WORKSTATION: readonly GpuModel[] = [
  ...nvidia({ class: 'workstation', architecture: 'Ampere' }, [
    { nvmlName: 'NVIDIA A800 40GB Active', memory: 40, tdp: 240, mig: 'yes', pci: '20F6', unverified: ['tdp'] },
    { nvmlName: 'NVIDIA RTX A6000', memory: 48, tdp: 300, pci: '2230' },
    { nvmlName: 'NVIDIA RTX A5500', memory: 24, tdp: 230, pci: '2233', unverified: ['memory', 'tdp'] },
    { nvmlName: 'NVIDIA RTX A5000', memory: 24, tdp: 230, pci: '2231' },
    { nvmlName: 'NVIDIA RTX A4500', memory: 20, tdp: 200, pci: '2232', unverified: ['memory', 'tdp'] },
    { nvmlName: 'NVIDIA RTX A4000', memory: 16, tdp: 140, pci: '24B0' },
    { nvmlName: 'NVIDIA RTX A2000', memory: 6, tdp: 70, pci: '2531' },
    { nvmlName: 'NVIDIA RTX A2000 12GB', memory: 12, tdp: 70, pci: '2571' },
    { nvmlName: 'NVIDIA RTX A1000', memory: 8, tdp: 50, pci: '25B0', unverified: ['memory', 'tdp'] },
    { nvmlName: 'NVIDIA RTX A400', memory: 4, tdp: 50, pci: '25B2', unverified: ['memory', 'tdp'] },
  ]),
  ...nvidia({ class: 'workstation', architecture: 'Blackwell' }, [
    { nvmlName: 'NVIDIA RTX PRO 6000 Blackwell Workstation Edition', memory: 96, tdp: 600, mig: 'yes', pci: '2BB1' },
    {
      nvmlName: 'NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition',
      memory: 96,
      tdp: 300,
      mig: 'yes',
      pci: '2BB4',
    },
    { nvmlName: 'NVIDIA RTX PRO 5000 Blackwell', memory: 48, tdp: 300, mig: 'yes', pci: '2BB3' },
    {
      nvmlName: 'NVIDIA RTX PRO 5000 72GB Blackwell',
      memory: 72,
      tdp: 300,
      mig: 'likely',
      pci: '2BB3',
      unverified: ['mig'],
    },
    { nvmlName: 'NVIDIA RTX PRO 4500 Blackwell', memory: 32, tdp: 200, mig: 'yes', pci: '2C31' },
    { nvmlName: 'NVIDIA RTX PRO 4000 Blackwell', memory: 24, tdp: 140, pci: '2C34' },
    { nvmlName: 'NVIDIA RTX PRO 4000 Blackwell SFF Edition', memory: 24, tdp: 70, pci: '2C33' },
    { nvmlName: 'NVIDIA RTX PRO 2000 Blackwell', memory: 16, tdp: 70, pci: '2D30' },
  ]),
  ...nvidia({ class: 'workstation', architecture: 'Ada Lovelace' }, [
    { nvmlName: 'NVIDIA RTX 6000 Ada Generation', memory: 48, tdp: 300, pci: '26B1' },
    { nvmlName: 'NVIDIA RTX 5880 Ada Generation', memory: 48, tdp: 285, pci: '26B3' },
    { nvmlName: 'NVIDIA RTX 5000 Ada Generation', memory: 32, tdp: 250, pci: '26B2' },
    { nvmlName: 'NVIDIA RTX 4500 Ada Generation', memory: 24, tdp: 210, pci: '27B1' },
    { nvmlName: 'NVIDIA RTX 4000 Ada Generation', memory: 20, tdp: 130, pci: '27B2' },
    { nvmlName: 'NVIDIA RTX 4000 SFF Ada Generation', memory: 20, tdp: 70, pci: '27B0' },
    { nvmlName: 'NVIDIA RTX 2000 Ada Generation', memory: 16, tdp: 70, pci: '28B0' },
  ]),
  ...nvidia({ class: 'workstation', architecture: 'Turing' }, [
    { nvmlName: 'Quadro RTX 8000', memory: 48, tdp: 260, pci: '1E30 1E78' },
    { nvmlName: 'Quadro RTX 6000', memory: 24, tdp: 260, pci: '1E30 1E36 1E78', unverified: ['tdp'] },
    { nvmlName: 'Quadro RTX 5000', memory: 16, tdp: 230, pci: '1EB0 1EB5 1EF5', unverified: ['memory', 'tdp'] },
    { nvmlName: 'Quadro RTX 4000', memory: 8, tdp: 160, pci: '1EB1 1EB6', unverified: ['memory', 'tdp'] },
    { nvmlName: 'NVIDIA T1000', memory: 4, tdp: 50, pci: '1FB0', unverified: ['memory', 'tdp'] },
    { nvmlName: 'NVIDIA T1000 8GB', memory: 8, tdp: 50, pci: '1FF0', unverified: ['tdp'] },
    { nvmlName: 'NVIDIA T600', memory: 4, tdp: 40, pci: '1FB1', unverified: ['memory', 'tdp'] },
    { nvmlName: 'NVIDIA T400 4GB', memory: 4, tdp: 30, pci: '1FF2', unverified: ['tdp'] },
    { nvmlName: 'NVIDIA TITAN RTX', memory: 24, tdp: 280, pci: '1E02' },
  ]),
  ...nvidia({ class: 'workstation', architecture: 'Volta' }, [
    { nvmlName: 'Quadro GV100', memory: 32, tdp: 250, unverified: ['nvmlName', 'memory', 'tdp'] },
    { nvmlName: 'NVIDIA TITAN V', memory: 12, tdp: 250, unverified: ['nvmlName'] },
  ]),
  ...nvidia({ class: 'workstation', architecture: 'Pascal' }, [
    { nvmlName: 'Quadro GP100', memory: 16, tdp: 235, unverified: ['nvmlName', 'memory', 'tdp'] },
    { nvmlName: 'Quadro P6000', memory: 24, tdp: 250, unverified: ['nvmlName'] },
    { nvmlName: 'Quadro P5000', memory: 16, tdp: 180, unverified: ['nvmlName', 'memory', 'tdp'] },
    { nvmlName: 'Quadro P4000', memory: 8, tdp: 105, unverified: ['nvmlName', 'memory', 'tdp'] },
    { nvmlName: 'Quadro P2000', memory: 5, tdp: 75, unverified: ['nvmlName', 'memory', 'tdp'] },
    { nvmlName: 'NVIDIA TITAN Xp', memory: 12, tdp: 250, unverified: ['nvmlName'] },
    { nvmlName: 'NVIDIA TITAN X (Pascal)', memory: 12, tdp: 250, unverified: ['nvmlName'] },
  ]),
  ...nvidia({ class: 'workstation', architecture: 'Maxwell' }, [
    { nvmlName: 'Quadro M4000', memory: 8, tdp: 120, unverified: ['nvmlName', 'memory', 'tdp'] },
  ]),
]
