/** Buffer where there is one (Node): faster at UTF-8 than the encoders of the Web. Browsers and workers do without. */
export const NodeBuffer: typeof Buffer | undefined = (globalThis as { Buffer?: typeof Buffer }).Buffer;
