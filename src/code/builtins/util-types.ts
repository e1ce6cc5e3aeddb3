/** `node:util/types`. */
import { types } from "./util.js";

export const { isPromise, isDate, isRegExp, isMap, isSet, isNativeError, isUint8Array, isTypedArray } = types;
export const {
  isArrayBufferView,
  isAnyArrayBuffer,
  isAsyncFunction,
  isGeneratorFunction,
  isGeneratorObject,
} = types;
export default types;
