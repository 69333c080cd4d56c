import { expect, test } from 'vitest'

import { budget } from '../bench/budget.ts'
import { codeFiles } from '../bench/code-lines.ts'
import { isForTests } from './imports.ts'

const rows = budget()

test.for(rows)('$folders hold no more code than budget.json allows', ({ now, limit }) => {
  // What is new pays for itself by what it replaces; `npm run fix` takes the limit down after a deletion.
  expect(now).toBeLessThanOrEqual(limit)
})

test('every folder of code is in one row', () => {
  const folders = rows.flatMap(({ folders: named }) => named)
  const among = (file: string): number => folders.filter((folder) => `${file}/`.startsWith(`${folder}/`)).length
  const odd = ['packages', 'apps', 'bench', 'scripts']
    .flatMap(codeFiles)
    .filter((file) => among(file) !== 1 && !isForTests(file))
  expect(odd).toEqual([])
})
