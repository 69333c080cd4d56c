import { describe } from 'vitest'

import { linearSolverBehaves } from '@septet/domain/testing/linear-solver'
import { openHighs } from './open-highs.ts'

describe('HiGHS behaves like every linear solver', () => {
  linearSolverBehaves(openHighs)
})
