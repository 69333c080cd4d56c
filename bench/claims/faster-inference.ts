import type { Claim } from './claim.ts'

// Seconds per YOLOS-small inference with seven pods on one A100-80GB, closed loop, mean of two minutes, as the nos project
// (nebuly-ai/nos, demos/gpu-sharing-comparison) published them. Not measured here: there is no GPU.
const TIME_SLICING = { seven: 0.685, one: 0.088 }
const MIG_1G_10GB = { seven: 0.344, one: 0.341 }

/** "50 % faster inference": a published comparison at one load, and never more than it says. */
export const fasterInference: Claim = {
  id: 'faster-inference',
  words: '50% faster inference',
  needs: [],
  judge: () => {
    const saved = 100 * (1 - MIG_1G_10GB.seven / TIME_SLICING.seven)
    return {
      kind: 'published',
      says:
        `With seven pods on one A100-80GB, an inference took ${saved.toFixed(1)}% less time on MIG 1g.10gb than under ` +
        'time-slicing: 0.344 versus 0.685 s, as published by others.',
      saysNot:
        'This holds for seven pods. A single pod is almost four times slower on the slice (0.341 s) than alone on the whole GPU (0.088 s), and MPS was faster than MIG at seven pods (0.320 s).',
      figures: [
        {
          name: 'seconds per inference with seven pods, MIG 1g.10gb',
          figure: MIG_1G_10GB.seven,
          unit: 's',
          baseline: { name: 'time-slicing', figure: TIME_SLICING.seven },
        },
        {
          name: 'seconds per inference with one pod, MIG 1g.10gb',
          figure: MIG_1G_10GB.one,
          unit: 's',
          baseline: { name: 'whole GPU', figure: TIME_SLICING.one },
        },
      ],
      input: 'published means',
      sources: ['nebuly-ai/nos, demos/gpu-sharing-comparison'],
    }
  },
}
