import { expect, test } from 'vitest'
import { instant } from '../units.ts'
import { nodeProblems } from './node-problems.ts'

const told = (more: Partial<Parameters<typeof nodeProblems>[0]>): string =>
  nodeProblems(
    {
      name: 'a',
      ready: true,
      product: 'NVIDIA-GB200',
      mig: { strategy: 'mixed', config: undefined, state: undefined },
      allocatable: {},
      capacity: {},
      labelled: {},
      paused: [],
      unhealthy: [],
      ...more,
    },
    { now: instant(0), pendingSince: undefined, hasDevices: false },
  )
    .map(({ message }) => message)
    .join('\n')
const failed = (config: string) => told({ mig: { strategy: 'mixed', config, state: 'failed' } })

test('a MIG configuration that failed is told with the other spelling of its profile', () => {
  expect(failed('all-1g.24gb')).toContain('drivers spell 1g.24gb of this board 1g.23gb as well')
  expect(failed('all-3g.93gb')).toContain('set nvidia.com/mig.config to all-3g.95gb')
})
test('one that names a profile of another board is told what this one has', () => {
  expect(failed('all-1g.10gb')).toContain('this board has no profile 1g.10gb: it has 1g.23gb')
  expect(failed('custom')).toContain('free the GPUs, then')
})
test('a label whose gigabytes an old feature discovery rounds otherwise is told as misspelt', () => {
  const offered = { 'nvidia.com/mig-3g.20gb': 16 }
  const both = { capacity: offered, allocatable: offered }
  expect(told({ ...both, labelled: { 'nvidia.com/mig-3g.21gb': 16 } })).toContain(
    'labels spell nvidia.com/mig-3g.20gb as nvidia.com/mig-3g.21gb',
  )
  for (const labelled of [{ 'nvidia.com/mig-2g.20gb': 16 }, { 'nvidia.com/mig-3g.21gb': 15 }])
    expect(told({ ...both, labelled })).toContain('the kubelet knows 0')
})
