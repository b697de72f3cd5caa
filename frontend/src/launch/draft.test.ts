import { describe, expect, it } from 'vitest';
import { draftFrom, inputOf, problemsOf, stepOf } from './draft';

describe('a launch', () => {
  it('needs a command and a computer, and says which field is wrong', () => {
    expect(problemsOf(draftFrom())).toEqual({ command: 'required', computer: 'required' });
    const draft = {
      ...draftFrom({ command: 'true', computer: 'vm' }),
      parameters: '{"lr": }',
      environment: '{"A": {}}',
      timeLimit: '2h',
    };
    expect(problemsOf(draft)).toEqual({ parameters: 'json', environment: 'strings', timeLimit: 'time' });
  });
  it('sends only what was given', () => {
    const draft = { ...draftFrom({ command: 'python3 train.py', computer: 'vm' }), gpuCount: '2', after: '1a2b, 3c4d' };
    expect(inputOf('p', 'r', draft)).toMatchObject({
      project: 'p',
      requestId: 'r',
      gpuCount: 2,
      after: ['1a2b', '3c4d'],
      parameters: {},
    });
    expect(inputOf('p', 'r', draft)).not.toHaveProperty('secretEnvironment');
  });
  it('starts again from what a job was launched with', () => {
    const draft = draftFrom({ command: 'x', parameters: { lr: 0.1 }, gpuIds: ['0'], priority: 5 });
    expect(JSON.parse(draft.parameters)).toEqual({ lr: 0.1 });
    expect(draft.priority).toBe('5');
  });
  it('knows the step of a field', () => {
    expect([stepOf('command'), stepOf('gpuIds'), stepOf('unknown')]).toEqual([0, 1, 0]);
  });
});
