/**
 * What JSON text was read to: plain values, and nodes that know their place in the text.
 */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface JsonSpan {
  readonly start: number;
  readonly end: number;
}
export interface JsonObjectNode extends JsonSpan {
  readonly kind: "object";
  readonly members: readonly JsonMember[];
}
export interface JsonArrayNode extends JsonSpan {
  readonly kind: "array";
  readonly elements: readonly JsonNode[];
}
export interface JsonScalarNode extends JsonSpan {
  readonly kind: "scalar";
}
export interface JsonMember {
  readonly key: string;
  /** Of the key with its quotes. */
  readonly key_start: number;
  readonly key_end: number;
  readonly value: JsonNode;
}

export interface JsonProblem {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export interface JsonDocument {
  readonly ok: true;
  readonly text: string;
  readonly has_bom: boolean;
  readonly value: JsonValue;
  readonly root: JsonNode;
  /** Repetitions of a key within one object, in text order (J3). */
  readonly repeated_keys: readonly { readonly key: string; readonly offset: number }[];
}

export type ParsedJson = JsonDocument | { readonly ok: false; readonly problem: JsonProblem };
