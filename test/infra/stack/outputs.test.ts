import { describe, expect, test } from 'vitest';
import { STACKS, templateText } from './templates.ts';

describe.each(STACKS)('the outputs of %s', stack => {
  const { Outputs } = JSON.parse(templateText(stack));

  test('are the address of the API, the operator function, the topics of mails and the name servers', () => {
    const references = Object.fromEntries(
      Object.entries<{ Value: unknown }>(Outputs).map(([name, { Value }]) => [
        name,
        JSON.stringify(Value).match(/"(Ref|Fn::GetAtt)":\[?"(\w+?)[0-9A-F]{8}"/)?.[2],
      ]),
    );
    expect(references).toEqual({
      BaseUrl: 'PublicApi',
      OperatorFunction: 'OperatorOperateFunction',
      AlarmTopic: 'MonitoringAlarmsTopic',
      TicketTopic: 'MonitoringAlarmsTickets',
      DomainTopic: 'DomainMailTopic',
      PlatformNameServers: 'DomainsZone',
    });
  });
});
