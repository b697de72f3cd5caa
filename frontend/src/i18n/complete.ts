/** Every English key must exist but the `_one` ones: Japanese has a single plural form. */
export type Complete<T> = {
  [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Complete<T[K]>;
};
