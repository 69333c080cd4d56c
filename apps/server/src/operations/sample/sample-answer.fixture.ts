import { OPERATIONS, type OperationKey } from '@septet/contract'
import type { Ask } from '@septet/tools'

import { withSays } from '../says/saying.ts'
import { SAMPLE_ANSWERS } from './sample-answers.ts'

/** What is answered of sample data, with its sentences, as every face gets it. */
export const sampleAnswer: Ask = async (key, input) => {
  const parsed = OPERATIONS[key].input.parse(input)
  const answers: Partial<Record<OperationKey, (input: never) => object>> = {
    ...SAMPLE_ANSWERS,
    clustersList: () => ({ clusters: [] }),
  }
  return withSays(key, answers[key]?.(parsed as never) as never, parsed as never)
}
