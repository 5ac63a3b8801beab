import { expect, it } from '@jest/globals';
import { readScenario, requireScenario } from '../index.js';

it.each(['half-open', '{ how: half-open }'])('`disconnect: %s` says how', (how) => {
  const { steps } = requireScenario(readScenario(`scenario: x\nstream:\n  - disconnect: ${how}\n`));
  expect(steps).toMatchObject([{ kind: 'disconnect', how: 'half-open' }]);
});
