import { expect, test } from 'vitest'

import { isKeptLabel } from './kept-labels.ts'

test.each([
  ['topology.kubernetes.io/zone', true],
  ['node.kubernetes.io/instance-type', true],
  ['team', true],
  ['cloud.google.com/gke-accelerator', true],
  ['nvidia.com/gpu.product', true],
  ['nvidia.com/mig.config', true],
  ['nvidia.com/device-plugin.config', true],
  ['nvidia.com/gpu.product.extra', false],
  ['nvidia.com/gpu.count', false],
  ['nvidia.com/cuda.driver.major', false],
  ['nvidia.com/gpu.deploy.dcgm', false],
  ['feature.node.kubernetes.io/cpu-cpuid.AVX512F', false],
  ['beta.kubernetes.io/arch', false],
  ['kubernetes.io/hostname', false],
  ['kubernetes.io/arch', true],
])('%s of a node is kept in snapshots: %s', (key, kept) => expect(isKeptLabel(key)).toBe(kept))
