/** The part of WebAssembly's interface that step code uses; Node has it without declaring it. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: {
      readonly initial: number;
      readonly maximum?: number;
      readonly shared?: boolean;
    });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class RuntimeError extends Error {}
  class CompileError extends Error {}
  function validate(bytes: Uint8Array): boolean;
}
