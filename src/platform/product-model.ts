/**
 * A product that nobody gave a model has its product_id in that place: then the model is not known,
 * and a device may write any.
 */
export const isModelKnown = ({ productId, model }: { readonly productId: string; readonly model: string }): boolean =>
  model.toUpperCase() !== productId.toUpperCase();
