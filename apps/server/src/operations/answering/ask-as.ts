import type { OPERATIONS, OperationKey, OutputOf } from '@septet/contract'
import type { Caller } from '@septet/domain'
import type { Ask } from '@septet/tools'

import type { Answer } from './answering.ts'

/** Asks operations as a caller: the very answers that every face gives. */
export const askAs =
  (answers: Readonly<Record<OperationKey, Answer>>, caller: Caller): Ask =>
  async <Key extends OperationKey>(key: Key, input: object, signal?: AbortSignal) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what an operation answers is what its schema says, by `answering`
    (await answers[key](input, caller, signal && { signal })) as OutputOf<(typeof OPERATIONS)[Key]>
