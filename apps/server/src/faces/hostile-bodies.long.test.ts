import { hostileBodiesCostLittle } from './hostile-bodies.fixture.ts'

hostileBodiesCostLittle({ oneIn: 1 })
