import { OPERATIONS, type Operation } from '@septet/contract'
import type { OperationKey } from '@septet/contract/routes'

import { jsonSchema, type PlainOperation } from '../output/json-schema.ts'

/**
 * One operation. `build-cli.mjs` puts the texts of all of them in the place of this file: to load the contract with its
 * schemas takes several times what the rest of a short command does.
 */
export function plainOperation(key: OperationKey): PlainOperation {
  const { input, output, ...said }: Operation = OPERATIONS[key]
  return { ...said, input: jsonSchema(input, 'input'), output: jsonSchema(output, 'output') }
}
