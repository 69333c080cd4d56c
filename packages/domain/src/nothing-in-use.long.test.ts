import { nothingInUseIsTouched } from './nothing-in-use.fixture.ts'

nothingInUseIsTouched(20)
