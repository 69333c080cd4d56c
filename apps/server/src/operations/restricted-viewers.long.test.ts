import { restrictedViewersBehave } from './restricted-viewers.fixture.ts'

restrictedViewersBehave(25)
