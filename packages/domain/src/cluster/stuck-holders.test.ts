import { expect, test } from 'vitest'
import { HOUR_MS, instant } from '../units.ts'
import { draw } from './draw.fixture.ts'
import { stuckHolders } from './stuck-holders.ts'

const NOW = instant(100 * HOUR_MS)
const { pods } = draw`
  node-a  T4  [lab/one]
  node-a  T4  [lab/two]
  node-a  T4  [lab/three]`
const stuckFor = (hours: Readonly<Record<string, number>>) =>
  pods.map((pod) => {
    const since = hours[pod.id]
    return since === undefined
      ? pod
      : { ...pod, stuck: { because: 'ImagePullBackOff', since: instant(NOW - since * HOUR_MS) } }
  })

test('pods that hold GPUs and do not run are told together, the longest first', () => {
  expect(stuckHolders(stuckFor({ 'lab/one': 2, 'lab/two': 72 }), NOW)).toEqual([
    {
      code: 'holder-not-running',
      object: 'pods',
      message:
        '2 pods hold GPUs and do not run: lab/two (ImagePullBackOff for 3 d), lab/one (ImagePullBackOff for 2 h). No one else gets these GPUs meanwhile. Correct what keeps them from starting or ending, or delete them.',
    },
  ])
})

test('nothing is said while a start or an end may still take its time, or of pods that run', () => {
  expect(stuckHolders(stuckFor({ 'lab/one': 0.5 }), NOW)).toEqual([])
  expect(stuckHolders(pods, NOW)).toEqual([])
})
