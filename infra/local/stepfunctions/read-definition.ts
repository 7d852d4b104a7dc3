import { parseProperties, type ResourceLocation, refusal } from '../cloudformation/refusal.ts';
import { Definition } from './definition.ts';
import { checkTransitions } from './transitions.ts';

/** Reads a definition. One that AWS or the local runtime does not accept is rejected in one line. */
export function readDefinition(text: string, location: ResourceLocation): Definition {
  const json = parsed(text, location);
  if (usesJsonata(json)) {
    throw refusal(
      location,
      'the definition is in JSONata, which the local runtime does not support: use JSONPath',
    );
  }
  const definition = parseProperties(Definition, json, location);
  checkTransitions(definition, what => {
    throw refusal(location, `the definition is not valid: ${what}`);
  });
  return definition;
}

function parsed(text: string, location: ResourceLocation): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(location, `the definition is not JSON: ${(error as Error).message}`);
  }
}

function usesJsonata(json: unknown): boolean {
  const inside = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  return inside.some(
    ([key, value]) => (key === 'QueryLanguage' && value === 'JSONata') || usesJsonata(value),
  );
}
