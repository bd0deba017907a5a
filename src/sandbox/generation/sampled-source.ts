/** Generates values from schemas, for resource kinds without their own generator. */
import * as z from 'zod/mini';
import { getShape, integer } from '../../platform/schema.ts';
import type { Item, Source } from './collection.ts';
import { formatIso, createGeneratedSource, type GenerationContext } from './generated-source.ts';
import type { SeededRandom } from './random.ts';

const WORDS = ['amber', 'breeze', 'cobalt', 'delta', 'ember', 'fjord', 'grove', 'harbour'] as const;
const MAX_DEPTH = 6;

/** A value that the schema accepts; sometimes `undefined` if it is optional. */
function createSample(schema: z.core.SomeType, draw: SeededRandom, name: string, depth = 0): unknown {
  if (schema instanceof z.ZodMiniOptional)
    return depth > MAX_DEPTH || draw.chance(0.3) ? undefined : createSample(schema.def.innerType, draw, name, depth);
  if (schema instanceof z.ZodMiniNullable) return createSample(schema.def.innerType, draw, name, depth);
  if (schema === integer) return draw.int(1000);
  if (schema instanceof z.ZodMiniObject) {
    const value: Record<string, unknown> = {};
    for (const [field, inner] of Object.entries(schema.shape)) {
      const fieldValue = createSample(inner, draw, field, depth + 1);
      if (fieldValue !== undefined) value[field] = fieldValue;
    }
    return value;
  }
  if (schema instanceof z.ZodMiniArray)
    return Array.from({ length: draw.between(1, 3) }, () => createSample(schema.def.element, draw, name, depth + 1));
  if (schema instanceof z.ZodMiniRecord)
    return { [draw.pick(WORDS)]: createSample(schema.def.valueType, draw, name, depth + 1) };
  if (schema instanceof z.ZodMiniEnum) return schema.options[draw.int(schema.options.length)];
  if (schema instanceof z.ZodMiniLiteral) return [...schema.def.values][0];
  if (schema instanceof z.ZodMiniUnion)
    return createSample(schema.def.options[0] ?? z.unknown(), draw, name, depth + 1);
  if (schema instanceof z.ZodMiniBoolean) return draw.chance(0.5);
  if (schema instanceof z.ZodMiniNumber) return draw.int(1000);
  if (schema instanceof z.ZodMiniStringFormat) return createFormattedString(schema.def.format, draw);
  if (schema instanceof z.ZodMiniString) return `${draw.pick(WORDS)} ${name.replaceAll('_', ' ')} ${draw.int(1000)}`;
  return draw.pick(WORDS);
}

function createFormattedString(format: string, draw: SeededRandom): string {
  if (format === 'url') return `https://${draw.pick(WORDS)}.example.org/${draw.hex(8)}`;
  if (format === 'email') return `${draw.pick(WORDS)}@example.org`;
  if (format === 'uuid' || format === 'guid') {
    const hex = draw.hex(32);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
  if (format === 'datetime') return formatIso(Date.UTC(2026, 0, 1) + draw.int(5_000_000) * 1000);
  return draw.hex(12);
}

/** A source of 40 items that match the schema. */
export function createSampledSource(context: GenerationContext, kind: string, schema: z.core.SomeType): Source {
  const shape = getShape(schema) ?? {};
  return createGeneratedSource(context, {
    prefix: kind.replaceAll(/[^a-z]/g, '').slice(0, 12) || 'any',
    size: 40,
    days: 50,
    make: ({ id, created, draw }) => {
      const value = createSample(schema, draw, kind);
      const item = typeof value === 'object' && value !== null ? (value as Item) : {};
      return {
        ...item,
        ...('id' in shape && { id }),
        ...('when_created' in shape && { when_created: formatIso(created) }),
        ...('when_modified' in shape && { when_modified: formatIso(created) }),
      };
    },
  });
}
