import { shownPlansKeepPromises } from './promises.fixture.ts'

shownPlansKeepPromises(20)
