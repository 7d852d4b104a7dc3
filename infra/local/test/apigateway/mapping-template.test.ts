import { describe, expect, test } from 'vitest';
import { mappingTemplate } from '../../apigateway/mapping-template.ts';

const refuse = (fault: string): never => {
  throw new Error(fault);
};

const render = (
  text: string,
  parameters: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, string>> = {},
) =>
  mappingTemplate(
    text,
    'response',
    refuse,
  )({ variables: new Map(Object.entries(variables)), params: name => parameters[name] ?? '' });

describe('a mapping template', () => {
  test('renders text as it is, dollar and number signs included', () => {
    expect(render('{"price":"$5","place":"#1"}').text).toBe('{"price":"$5","place":"#1"}');
  });

  test('renders context variables, and nothing for one without a value', () => {
    const text = '$context.stage $context.identity.sourceIp [$context.identity.apiKeyId]';
    expect(render(text, {}, { stage: 'test', 'identity.sourceIp': '::1' }).text).toBe('test ::1 []');
  });

  test.each([
    ['a', 'first'],
    ['b', 'second'],
    ['', 'none'],
    ['c', 'other'],
  ])('decides by a parameter: "%s" is %s', (value, expected) => {
    const text = `#set($x = $input.params('X'))
#if($x == 'a')
first
#elseif($x == 'b' || ($x == 'd' && $x != 'e'))
second
#elseif(!($x != ''))
none
#else
other
#end`;
    expect(render(text, { X: value }).text.trim()).toBe(expected);
  });

  test('does not evaluate what a parameter contains', () => {
    const text = "#set($x = $input.params('X'))$x";
    expect(render(text, { X: '$context.stage #stop <b>' }).text).toBe('$context.stage #stop <b>');
  });

  test('overrides headers and the status of the response', () => {
    const text = `#if($input.params('origin') == 'https://zoo.dev')
#set($context.responseOverride.header.Access-Control-Allow-Origin = $input.params('origin'))
#set($context.responseOverride.status = 201)
#end
{}`;
    expect(render(text, { origin: 'https://zoo.dev' })).toEqual({
      text: '{}',
      headers: [['Access-Control-Allow-Origin', 'https://zoo.dev']],
      status: 201,
    });
    expect(render(text)).toEqual({ text: '{}', headers: [], status: undefined });
  });

  test('keeps nothing of one rendering for the next', () => {
    const template = mappingTemplate(
      "#if($input.params('a') == 'b')#set($x = 'seen')#set($context.responseOverride.status = 400)#{else}#set($x = 'not')#end$x",
      'response',
      refuse,
    );
    const rendered = (a: string) => template({ variables: new Map(), params: () => a });
    expect([rendered('b').status, rendered('c').status]).toEqual([400, undefined]);
    expect([rendered('b').text, rendered('c').text]).toEqual(['seen', 'not']);
  });

  test.each([
    ['#stop', '#stop'],
    ['a#{stop}b', '#stop'],
    ['#@macro()x#end', '#@macro'],
    ['#foreach($x in $y)x#end', '#foreach'],
    ["#parse('x')", '#parse'],
    ['a ## comment', '##'],
    ['a #* comment *# b', '#*'],
    ['#[[$x]]#', '#[['],
    ["#if($context.stage == 'a')b", '#if without #end'],
    ['a#end', '#end without #if'],
    ['$nothing', '$nothing'],
    ['$util.escapeJavaScript($context.stage)', '$util.escapeJavaScript'],
    ["$input.json('$')", '$input.json'],
    ['$input.body', '$input.body'],
    ['$input.params()', '$input.params without one literal name'],
    ["$input.params().header.get('x')", '$input.params.header.get'],
    ['$input.params($context.stage)', '$input.params without one literal name'],
    ['#set($x = "$context.stage")', '"$context.stage"'],
    ['#set($x = 1 + 2)', '+'],
    ["#set($x = ['a'])", 'array'],
    ['#set($context.stage = 1)', '#set($context.stage)'],
    ['#set($input.body = 1)', '#set($input.body)'],
    ['#set($context.responseOverride.header = 1)', '#set($context.responseOverride.header)'],
    ['$context.responseOverride.status', '$context.responseOverride.status'],
    ['$context', '$context'],
    ['#if()a#end', '#if()a#end (Expecting'],
  ])('is refused by name: %s', (text, construct) => {
    const fault = () => mappingTemplate(text, 'response', refuse);
    expect(fault).toThrow(`the template construct ${construct}`);
    expect(fault).toThrow(/^.* in a mapping template is not supported by the local AWS$/);
  });

  test('is refused with a context variable that does not exist', () => {
    expect(() => mappingTemplate('$context.weather', 'response', refuse)).toThrow(
      'the variable $context.weather in a mapping template is not supported by the local AWS',
    );
  });

  test('of a request is refused if it overrides the response', () => {
    expect(() => mappingTemplate('#set($context.responseOverride.status = 1)', 'request', refuse)).toThrow(
      '#set($context.responseOverride.status)',
    );
  });
});
