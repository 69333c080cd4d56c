import { hostileBodiesCostLittle } from './hostile-bodies.fixture.ts'

// All of them are sent in the long run.
hostileBodiesCostLittle({ oneIn: 6 })
