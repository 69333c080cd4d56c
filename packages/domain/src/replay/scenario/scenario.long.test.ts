import { drawnScenariosHold } from './drawn-scenarios.fixture.ts'

drawnScenariosHold(20)
