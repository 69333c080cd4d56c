import type { BlockView, GpuView } from '@septet/contract'

/**
 * A slice bar in one line: `4:busy.8:4g.40gb:ml/vllm-7 2:idle 1:free 1:stranded`, each block as
 * `size:kind[.busy]:profile:holder`, in order. `layers` stacks them instead.
 */
export function drawGpu(line: string, about: Partial<GpuView> = {}): GpuView {
  let start = 0
  const placement = line.startsWith('~') ? ('inferred' as const) : ('reported' as const)
  const mode = about.mode ?? 'mig'
  const blocks = line
    .replace('~', '')
    .split(' ')
    .map((text): BlockView => {
      const [size = '', state = '', profile = '', holder = ''] = text.split(':')
      const [, share] = state.split('.')
      const width = Number(size)
      const from = mode === 'shared' ? 0 : start
      start += width
      return {
        kind: kindOf(state),
        start: from,
        size: width,
        profile: profile === '' ? null : profile,
        placement,
        busy: share === undefined ? null : Number(`0.${share}`),
        holder: holder === '' ? null : holder,
        because: kindOf(state) === 'unknown' ? 'The profiling counter stays at 0 while the GPU visibly works.' : null,
      }
    })
  return {
    id: `GPU-${about.index ?? 0}`,
    index: 0,
    model: 'A100-80GB',
    mode: 'mig',
    slots: 8,
    fault: null,
    blocks,
    ...about,
  }
}

const KINDS = ['busy', 'idle', 'unknown', 'free', 'stranded', 'others', 'uncut'] as const

function kindOf(state: string): BlockView['kind'] {
  const kind = KINDS.find((name) => state.startsWith(name))
  if (kind === undefined) throw new Error(`A slice bar has no "${state}".`)
  return kind
}
