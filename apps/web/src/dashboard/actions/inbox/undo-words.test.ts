import { expect, test } from 'vitest'

import { undoWords } from './Decision.tsx'

const words = (kind: string, stops: string[] | null, unknown: string | null = null) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what the words are made of
  undoWords({ action: { class: kind }, undo: { stops, unknown, stopped: [] } } as unknown as Parameters<
    typeof undoWords
  >[0])

test('an undo names the pods that it stops before it is ordered', () => {
  expect(words('repartition', ['team/a', 'team/b'])).toEqual({
    button: 'Undo, stops 2 pods',
    stops: 'These pods started on the new slices and will be evicted: team/a, team/b.',
  })
  expect(words('right-size', ['team/a'])).toEqual({
    button: 'Undo, stops 1 pod',
    stops: 'This pod will be replaced, as the size changes back: team/a.',
  })
})

test('one that stops nobody says so, and one of which it is not known never says that it stops nobody', () => {
  expect(words('repartition', [])).toMatchObject({ button: 'Undo, no pods stop' })
  expect(words('repartition', null, 'gpu-a runs pods whose devices are not known yet.')).toEqual({
    button: 'Undo',
    stops: 'Septet does not know which pods this stops. gpu-a runs pods whose devices are not known yet.',
  })
})
