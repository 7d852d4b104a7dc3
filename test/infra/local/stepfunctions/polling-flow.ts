import { INVOKE, named } from './deployed-machine.ts';

/** A flow of rounds: a check, a choice and a wait, until there were as many rounds as the input wants. */
export const POLLING_FLOW = {
  StartAt: 'Check',
  States: {
    Check: {
      ...INVOKE,
      Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 2, MaxAttempts: 3, MaxDelaySeconds: 5 }],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Explain' }],
      Next: 'Done?',
    },
    'Done?': {
      Type: 'Choice',
      Choices: [
        {
          And: [
            { Variable: '$.round', NumericGreaterThanEqualsPath: '$.rounds' },
            { Not: { Variable: '$.stop', IsPresent: true } },
          ],
          Next: 'End',
        },
        { Variable: '$.outcome', StringEquals: 'no', Next: 'No' },
      ],
      Default: 'Wait',
    },
    Wait: { Type: 'Wait', SecondsPath: '$.seconds', Next: 'Check' },
    Explain: { Type: 'Pass', Parameters: { 'why.$': '$.error.Error' }, ResultPath: '$.explained', End: true },
    No: { Type: 'Fail', Error: 'No', CausePath: '$.outcome' },
    End: { Type: 'Succeed', OutputPath: '$.round' },
  },
};

export interface Round {
  round: number;
  rounds: number;
  seconds: number;
  fails?: string;
}

/** The function of the flow. It fails in the second round if the event says how: with Busy once, otherwise always. */
export function check() {
  let calls = 0;
  return (event: Round) => {
    calls += 1;
    if (event.fails && event.round === 1 && (calls === 2 || event.fails !== 'Busy')) {
      throw named(event.fails, 'x');
    }
    return { ...event, round: event.round + 1 };
  };
}

export const POLLING_INPUTS: object[] = [
  { round: 0, rounds: 1, seconds: 1, outcome: '' },
  { round: 0, rounds: 4, seconds: 3, outcome: '' },
  { round: 0, rounds: 3, seconds: 0, outcome: '', fails: 'Busy' },
  { round: 0, rounds: 3, seconds: 1, outcome: '', fails: 'Broken' },
  { round: 0, rounds: 3, seconds: 'x', outcome: '' },
  { round: 0, rounds: 3, seconds: 1, outcome: 'no' },
  { round: 0, rounds: 'many', seconds: 1, outcome: 'no' },
];
