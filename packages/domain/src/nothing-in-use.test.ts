import { nothingInUseIsTouched } from './nothing-in-use.fixture.ts'

// The sweep draws more fleets: nothing-in-use.long.test.ts.
nothingInUseIsTouched(1)
