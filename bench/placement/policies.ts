import { type Policy, septet, septetLearning } from '@septet/domain'
import { bestFit } from './best-fit.ts'
import { dotProduct } from './dot-product.ts'
import { fgd } from './fgd.ts'
import { gpuClustering } from './gpu-clustering.ts'
import { gpuPacking } from './gpu-packing.ts'
import { random } from './random.ts'

/** Every policy that can be compared, the simplest first. */
export const POLICIES: readonly Policy[] = [
  random,
  dotProduct,
  gpuClustering,
  gpuPacking,
  bestFit,
  fgd,
  septet,
  septetLearning,
]
