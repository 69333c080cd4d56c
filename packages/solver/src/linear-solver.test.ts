import { describe } from 'vitest'

import { linearSolverBehaves } from '../../domain/src/plan/linear-solver.suite.ts'
import { openHighs } from './open-highs.ts'

describe('HiGHS behaves like every linear solver', () => {
  linearSolverBehaves(openHighs)
})
