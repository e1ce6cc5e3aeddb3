/** `node:util/types`. */
import { types } from "./util.js";

export const { isPromise, isDate, isRegExp, isMap, isSet, isNativeError, isUint8Array, isTypedArray } = types;
export const { isArrayBufferView, isAnyArrayBuffer, isAsyncFunction, isGeneratorFunction } = types;
export const { isGeneratorObject, isWeakMap, isWeakSet, isArrayBuffer, isSharedArrayBuffer, isDataView } =
  types;
export const { isMapIterator, isSetIterator, isNumberObject, isStringObject, isBooleanObject } = types;
export const { isSymbolObject, isBigIntObject, isBoxedPrimitive, isArgumentsObject, isProxy } = types;
export const { isModuleNamespaceObject, isExternal, isKeyObject, isCryptoKey } = types;
export default types;
