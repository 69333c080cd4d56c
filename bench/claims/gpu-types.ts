import { BOARDS, GPU_MODELS } from '@septet/domain'

import type { Claim } from './claim.ts'

/** "100+ GPU types": what the catalog knows. */
export const gpuTypes: Claim = {
  id: 'gpu-types',
  words: '100+ GPU types',
  needs: [],
  judge: () => {
    const open = GPU_MODELS.filter(({ unverified }) => unverified.length > 0).length
    return {
      kind: GPU_MODELS.length >= 100 ? 'measured' : 'not-reached',
      says: `The catalog has ${GPU_MODELS.length} GPU models and the MIG placements of ${BOARDS.length} boards.`,
      saysNot: `It does not mean that each was tried: no GPU was. ${open} models have a value without a source, which is marked wherever it is shown.`,
      figures: [
        { name: 'GPU models in the catalog', figure: GPU_MODELS.length, unit: 'models', aim: '100' },
        { name: 'boards with known MIG placements', figure: BOARDS.length, unit: 'boards' },
      ],
      input: 'the catalog in packages/domain/src/gpu',
      sources: ['each entry names its sources'],
    }
  },
}
