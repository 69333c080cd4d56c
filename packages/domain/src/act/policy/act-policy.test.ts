import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import { ACTION_CLASSES } from '../../plan/words/action-class.ts'
import { ACT_MODES, type ActPolicy, classOf, DEFAULT_ACT_POLICY, modeOf } from './act-policy.ts'
import { runFor } from './drawn-run.fixture.ts'

test('by default Septet only watches', () => {
  expect(ACTION_CLASSES.map((kind) => modeOf(DEFAULT_ACT_POLICY, kind))).toEqual(ACTION_CLASSES.map(() => 'observe'))
  expect(DEFAULT_ACT_POLICY).toMatchObject({
    coolDown: 21_600,
    approvalHolds: 86_400,
    warning: 86_400,
    watch: 1800,
    windows: [],
    auto: { classes: [] },
  })
})

test('each mode takes effect, but auto only for classes on the list', () => {
  const modes = { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'auto' } as const
  const listed: ActPolicy = {
    ...DEFAULT_ACT_POLICY,
    modes,
    auto: { ...DEFAULT_ACT_POLICY.auto, classes: ['reclaim-idle'] },
  }
  expect(modeOf(listed, 'reclaim-idle')).toBe('auto')
  expect(modeOf({ ...listed, auto: DEFAULT_ACT_POLICY.auto }, 'reclaim-idle')).toBe('approve')
  for (const mode of ACT_MODES) {
    const policy: ActPolicy = { ...listed, modes: { ...modes, 'right-size': mode } }
    expect(modeOf(policy, 'right-size')).toBe(mode === 'auto' ? 'approve' : mode)
  }
})

test('a change of MIG mode is never automatic, not even where a stored policy says so', () => {
  const stored = {
    ...DEFAULT_ACT_POLICY,
    modes: { ...DEFAULT_ACT_POLICY.modes, 'mig-mode': 'auto' },
    auto: { ...DEFAULT_ACT_POLICY.auto, classes: ['mig-mode'] },
  } as unknown as ActPolicy
  expect(modeOf(stored, 'mig-mode')).toBe('approve')
})

const target = (
  migEnabled: boolean,
  layout: ReadonlyArray<{ profile: string; placement: { start: number; size: number } }>,
) => ({
  kind: 'layout' as const,
  targets: [{ gpu: 'GPU-node-a-0', migEnabled, layout }],
  moves: [],
})

test('a plan that switches MIG mode is of that class, whatever it was proposed as', () => {
  const cluster = draw`node-a H100-80GB-HBM3 [-]`
  const instance = { profile: '7g.80gb', placement: { start: 0, size: 8 } }
  expect(classOf(runFor(cluster, target(true, [instance]), { class: 'repartition' }))).toBe('mig-mode')
  const cut = draw`node-a H100-80GB-HBM3 [3g.40gb -]`
  expect(classOf(runFor(cut, target(true, [instance])))).toBe('repartition')
})
