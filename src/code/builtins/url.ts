/** `node:url`: the classes (`web-url.ts`) and the functions (`url-legacy.ts`). */
import { domainToASCII, domainToUnicode, fileURLToPath, format, parse, pathToFileURL } from "./url-legacy.js";
import { resolve, resolveObject, Url, urlToHttpOptions } from "./url-legacy.js";
import { URL, URLSearchParams } from "./web-url.js";

export { domainToASCII, domainToUnicode, fileURLToPath, format, parse, pathToFileURL };
export { resolve, resolveObject, Url, urlToHttpOptions, URL, URLSearchParams };

export default {
  URL,
  URLSearchParams,
  domainToASCII,
  domainToUnicode,
  fileURLToPath,
  format,
  parse,
  pathToFileURL,
  resolve,
  resolveObject,
  Url,
  urlToHttpOptions,
};
